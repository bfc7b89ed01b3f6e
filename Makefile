# Every verb installs what it needs into .venv by itself; `make help` lists them.
PYTHON ?= python3
VENV := .venv
PEERS := .venv-peers
AUDIT := .venv-audit
# Kerberos has its own build, and the two browser engines exclude each other.
AUDITED := $(addprefix requirements/,dev.txt pip.txt windows.txt)
BIN := $(VENV)/bin
NODE_CLIENTS := tests/gateway/node/node_modules/.installed tests/fdc3/node/node_modules/.installed \
	tests/agents/node/node_modules/.installed
GROUPS_UI := tests/windows/groups_ui/node_modules/.installed
NPM := $(BIN)/python tools/node.py npm --prefix admin-ui
UI := src/rostrum/manager/admin_page/build/verified.json
UI_MODULES := admin-ui/node_modules/.installed
UI_SOURCES := $(shell find admin-ui/src admin-ui/scripts docs/guide schemas -type f) $(wildcard admin-ui/*.json admin-ui/*.ts admin-ui/index.html)
PLATFORM_UI := src/rostrum/manager/platform_page/build/verified.json
# The browser platform shares code and packages with the admin UI.
PLATFORM_SOURCES := $(shell find platform-ui/src admin-ui/src admin-ui/scripts -type f) $(wildcard platform-ui/*.json platform-ui/*.ts platform-ui/index.html)
PAGES := $(UI) $(PLATFORM_UI)
# The library that provides window.fdc3 to pages of the desktop, and the library of the demo apps.
FDC3_LIBRARY := src/rostrum/desktop/services/fdc3_library.js
# The page that draws workspaces on the desktop.
WORKSPACES_PAGE := src/rostrum/desktop/pages/workspaces-page.js
LOCK := $(BIN)/uv pip compile -q --upgrade pyproject.toml --extra manager --extra desktop --universal --python-version 3.11 \
	--generate-hashes --no-annotate --no-header -c requirements/constraints.in
# Without addresses: every registry can serve the packages.
LOCK_NPM := $(BIN)/python tools/node.py npm install --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts \
	--no-audit --no-fund
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Without the compiled modules, each process would compile the product again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run desk test test-long mutants coverage check measure fix generate docs bench bench-compare screenshots admin-ui platform-ui admin-ui-library dist changes release-prepare release release-record audit chromium kerberos window-tests lock clean

help: ## List the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.run ## Start a manager with demo content (folder ./rostrum-demo)
	@$(MAKE) --no-print-directory $(PAGES) 2>/dev/null || echo "Starting the manager without its pages."
	@$(MAKE) --no-print-directory $(FDC3_LIBRARY) 2>/dev/null || echo "Starting demo apps that do not use FDC3 in browsers."
	$(BIN)/rostrum up --dir rostrum-demo $(ARGS)

desk: $(VENV)/.run $(VENV)/.windows ## Show the demo's desktop with windows; uses the manager that runs, or starts one
	@$(MAKE) --no-print-directory $(PAGES) 2>/dev/null || echo "Starting the manager without its pages."
	@$(MAKE) --no-print-directory $(FDC3_LIBRARY) 2>/dev/null || echo "Starting the desktop without window.fdc3."
	@$(MAKE) --no-print-directory $(WORKSPACES_PAGE) 2>/dev/null || echo "Starting the desktop without workspaces."
	$(BIN)/rostrum up --dir rostrum-demo --desk $(ARGS)

TEST_PARTS := $(VENV)/.dev $(NODE_CLIENTS) $(GROUPS_UI) $(PAGES) $(FDC3_LIBRARY) $(WORKSPACES_PAGE) chromium kerberos window-tests

test: $(TEST_PARTS) ## Run the tests that every change must pass; ARGS="tests/cli" selects some
	$(BIN)/pytest -n 3 $(ARGS)

test-long: $(TEST_PARTS) ## Run the tests marked long; SHARD=0/6 selects a share, MINUTES=8 limits the time
	$(BIN)/pytest -n 3 -m long $(if $(SHARD),--shard $(SHARD)) $(if $(MINUTES),--minutes $(MINUTES)) $(ARGS)

mutants: $(TEST_PARTS) ## Plant small faults one at a time and run the tests that must find them; ARGS="gateway" selects files
	$(BIN)/python tools/mutants.py $(ARGS)

coverage: $(TEST_PARTS) ## Run every test and list the lines that none executes
	rm -rf .coverage && mkdir .coverage
	$(BIN)/coverage run -m pytest -n 3 -m "long or not long" $(ARGS)
	$(BIN)/coverage combine -q
	$(BIN)/coverage html -q -d .coverage/html
	$(BIN)/coverage report $(if $(ARGS),,--fail-under=95)

check: $(VENV)/.dev $(UI_MODULES) ## Lint, wording, budgets, types, import directions, generated files, links of the documentation
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --check .
	$(BIN)/python tools/prose.py
	$(BIN)/python -m tools.measure.budgets
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tools/generate.py --check
	$(BIN)/python tools/locks.py
	$(BIN)/python tools/docs_site.py
	$(NPM) run --silent check

measure: $(VENV)/.dev ## Print figures about the code and the tests; ARGS="circle put" selects some, ARGS=--json is for programs
	@$(BIN)/python -m tools.measure $(ARGS)

fix: $(VENV)/.dev $(UI_MODULES) ## Format the code and apply safe corrections
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(NPM) run --silent fix

generate: $(VENV)/.dev ## Write the generated references again
	$(BIN)/python tools/generate.py

docs: generate ## Write the references again and build the documentation site (build/site)
	$(BIN)/python tools/docs_site.py

bench: $(VENV)/.bench $(PEERS)/.installed $(NODE_CLIENTS) $(PAGES) $(FDC3_LIBRARY) chromium window-tests ## Run the benchmarks; ARGS="startup" runs one of them
	$(BIN)/python -m bench $(ARGS)

bench-compare: $(VENV)/.bench tests/gateway/node/node_modules/.installed ## Compare the speed with the commit BASE; ARGS="gateway polling" names benchmarks
	@$(BIN)/python -m bench.compare $(if $(BASE),--base "$(BASE)") $(ARGS)

screenshots: $(VENV)/.dev $(VENV)/.windows $(PAGES) $(FDC3_LIBRARY) $(WORKSPACES_PAGE) chromium window-tests ## Make pictures of the admin UI, the browser platform and the desktop into docs/images
	$(BIN)/python tools/screenshots.py
	$(BIN)/python tools/platform_screenshots.py
	$(BIN)/python tools/desktop_screenshots.py
	$(BIN)/python tools/pictures.py record

admin-ui: $(VENV)/.run $(UI) ## Build the admin UI that the manager serves

platform-ui: $(VENV)/.run $(PLATFORM_UI) ## Build the browser platform that the manager serves

admin-ui-library: $(VENV)/.run $(UI_MODULES) ## Build the admin UI as a component for other pages (admin-ui/library)
	$(NPM) run --silent build:library

dist: $(VENV)/.run $(PAGES) $(FDC3_LIBRARY) $(WORKSPACES_PAGE) ## Build the wheel, the sdist, the installer, the archive and the npm package into dist/
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	$(BIN)/python tools/installer.py dist
	$(BIN)/python tools/admin_ui.py package

changes: $(VENV)/.dev ## Show the notes of the changes since the newest release
	@$(BIN)/towncrier build --draft --version Unreleased 2>/dev/null

release-prepare: $(VENV)/.dev ## Set VERSION and move the notes of all changes to the changelog
	$(BIN)/python tools/release.py prepare "$(VERSION)"

release: $(VENV)/.dev ## Check, test and build VERSION into dist/, with checksums, SBOM and, with KEY=file, a signature
	$(BIN)/python tools/release.py build "$(VERSION)" $(if $(KEY),--key "$(KEY)")

release-record: $(VENV)/.dev ## Record the newest commit as the release VERSION, and begin the next version
	$(BIN)/python tools/release.py record "$(VERSION)"

audit: $(AUDIT)/.installed ## Look for known vulnerabilities in the locked packages (needs the services of the registries)
	$(AUDIT)/bin/pip-audit --disable-pip $(foreach lock,$(AUDITED),-r $(lock))
	@for lock in $(shell git ls-files '*package-lock.json'); do \
		echo "$$lock"; $(BIN)/python tools/node.py npm audit --prefix "$$(dirname $$lock)" || exit 1; done

chromium: | $(BIN)/python
	@$(BIN)/python tools/chromium.py
	@$(BIN)/python tools/chromium.py --with-windows || true

kerberos: $(VENV)/.dev
	@PATH="$$PATH:/usr/sbin"; { command -v krb5kdc && command -v krb5-config && command -v cc; } >/dev/null || { \
		echo "installing MIT Kerberos for the tests of negotiate and kerberos"; apt-get -qq update && \
		DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
			gcc libc6-dev libkrb5-dev krb5-kdc krb5-admin-server krb5-user >/dev/null; } \
		|| echo "MIT Kerberos cannot be installed here: its tests are left out"
	@cmp -s requirements/kerberos.txt $(VENV)/.kerberos || { echo "building the library for Kerberos"; \
		CFLAGS=-O0 $(BIN)/pip install -q --require-hashes -r requirements/kerberos.txt && cp requirements/kerberos.txt $(VENV)/.kerberos; } \
		|| echo "the library for Kerberos cannot be built here (it needs a compiler and libkrb5-dev): its tests are left out"

window-tests: $(VENV)/.dev
	@$(BIN)/python tools/window_engine.py --tests

lock: $(VENV)/.pip ## Resolve the dependencies again and write the locks
	@$(BIN)/pip install -q uv
	$(LOCK) --group build -o requirements/run.txt
	$(LOCK) --extra telemetry --group dev -o requirements/dev.txt
	$(LOCK) --extra telemetry --group dev --group bench -o requirements/bench.txt
	$(subst pyproject.toml --extra manager --extra desktop,requirements/kerberos.in,$(LOCK)) -o requirements/kerberos.txt
	$(subst pyproject.toml --extra manager --extra desktop,requirements/bench-peers.in,$(LOCK)) -o requirements/bench-peers.txt
	$(subst pyproject.toml --extra manager --extra desktop,requirements/pip.in,$(LOCK)) -o requirements/pip.txt
	$(subst pyproject.toml --extra manager --extra desktop,requirements/audit.in,$(LOCK)) -o requirements/audit.txt
	$(subst pyproject.toml --extra manager --extra desktop,requirements/windows.in,$(LOCK)) -o requirements/windows.txt
	$(subst pyproject.toml --extra manager --extra desktop,requirements/windows-old-glibc.in,$(LOCK)) -o requirements/windows-old-glibc.txt
	$(LOCK_NPM) --prefix admin-ui
	$(LOCK_NPM) --prefix tests/gateway/node
	$(LOCK_NPM) --prefix tests/fdc3/node
	$(LOCK_NPM) --prefix tests/agents/node
	$(LOCK_NPM) --prefix tests/windows/groups_ui
	@$(BIN)/python tools/locks.py --registry \
		|| { echo "The new locks drop a platform. Restrict the versions in pyproject.toml or package.json and run make lock again."; exit 1; }

clean: ## Remove the environment and the caches
	rm -rf $(VENV) $(PEERS) $(AUDIT) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Rostrum needs Python 3.11 or newer; set PYTHON=… to one"; exit 1; }
	@echo "making the virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

# The pip that comes with Python may be years old, with known vulnerabilities.
$(VENV)/.pip: requirements/pip.txt | $(BIN)/python
	@$(BIN)/python -m pip install -q --require-hashes -r requirements/pip.txt
	@touch $@

# Until version 0.1.0, the distribution was called `rostrum`. pip removes it first, because it has the same command.
define INSTALL_ROSTRUM
@$(BIN)/pip uninstall -qq -y rostrum
@$(BIN)/pip install -q --no-deps --no-build-isolation -e .
endef

# The metadata of the installed package contain its version.
$(VENV)/.run: requirements/run.txt pyproject.toml src/rostrum/__init__.py | $(VENV)/.pip
	@echo "installing what the server needs"
	@$(BIN)/pip install -q --require-hashes -r requirements/run.txt
	$(INSTALL_ROSTRUM)
	@touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml src/rostrum/__init__.py | $(VENV)/.pip
	@echo "installing what tests and checks need"
	@$(BIN)/pip install -q --require-hashes -r requirements/dev.txt
	$(INSTALL_ROSTRUM)
	@touch $@ $(VENV)/.run

$(VENV)/.windows: requirements/windows.txt requirements/windows-old-glibc.txt | $(VENV)/.run
	@$(BIN)/python tools/window_engine.py
	@touch $@

$(VENV)/.bench: requirements/bench.txt $(VENV)/.dev
	@echo "installing the peers that the benchmarks compare with"
	@$(BIN)/pip install -q --require-hashes -r requirements/bench.txt
	@touch $@

tests/%/node/node_modules/.installed: tests/%/node/package-lock.json | $(VENV)/.run
	@echo "installing the npm packages that tests/$* needs"
	@$(BIN)/python tools/node.py npm ci --prefix tests/$*/node --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(FDC3_LIBRARY): platform-ui/desktop-library/window.ts platform-ui/demo-library/get-agent.ts platform-ui/src/agent/gateway-socket.ts tools/fdc3_library.py tests/fdc3/node/node_modules/.installed
	@echo "building the libraries with which pages use FDC3"
	@$(BIN)/python tools/fdc3_library.py
	@touch $@

$(WORKSPACES_PAGE): $(wildcard platform-ui/desktop-workspaces/*) platform-ui/src/workspace/layout-format.ts tools/workspaces_page.py $(PLATFORM_UI) tests/fdc3/node/node_modules/.installed
	@echo "building the page that shows workspaces on the desktop"
	@$(BIN)/python tools/workspaces_page.py
	@touch $@

$(GROUPS_UI): tests/windows/groups_ui/package-lock.json | $(VENV)/.dev
	@echo "installing the library with which a page draws web groups"
	@$(BIN)/python tools/node.py npm ci --prefix tests/windows/groups_ui --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(UI_MODULES): admin-ui/package-lock.json | $(VENV)/.run
	@echo "installing the build tools of the admin UI"
	@$(BIN)/python tools/admin_ui.py install
	@touch $@

$(UI): $(UI_MODULES) $(UI_SOURCES)
	@echo "building the admin UI"
	@$(BIN)/python tools/admin_ui.py build

$(PLATFORM_UI): $(UI_MODULES) $(PLATFORM_SOURCES)
	@echo "building the browser platform"
	@$(BIN)/python tools/admin_ui.py platform

$(AUDIT)/.installed: requirements/audit.txt | $(VENV)/.run
	@echo "installing pip-audit into $(AUDIT)"
	@$(PYTHON) -m venv $(AUDIT)
	@$(AUDIT)/bin/python -m pip install -q --require-hashes -r requirements/audit.txt
	@touch $@

$(PEERS)/.installed: requirements/bench-peers.txt
	@echo "installing the servers that the benchmarks compare with into $(PEERS)"
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install -q --require-hashes -r requirements/pip.txt
	@$(PEERS)/bin/pip install -q --require-hashes -r requirements/bench-peers.txt
	@touch $@
