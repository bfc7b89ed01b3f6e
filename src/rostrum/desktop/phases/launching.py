"""The running apps and their windows: launchers for all types of apps, and window services."""

import os
import socket
from functools import partial

from rostrum.base.clock import Clock
from rostrum.base.ids import new_id
from rostrum.base.placeholders import expand
from rostrum.desktop.background_tasks import BackgroundTasks
from rostrum.desktop.hosts.reports import HostRestored
from rostrum.desktop.launch.exe import ExeLauncher, NativeLauncher
from rostrum.desktop.launch.launcher import Launcher, Surroundings
from rostrum.desktop.launch.node import NodeLauncher
from rostrum.desktop.launch.window import WindowLauncher
from rostrum.desktop.phases.running_services import Earlier, WindowServices
from rostrum.desktop.services.apps import Apps
from rostrum.desktop.services.dialogs import Dialogs
from rostrum.desktop.services.docking import Docking
from rostrum.desktop.services.flydowns import Flydowns
from rostrum.desktop.services.group_gestures import GroupGestures
from rostrum.desktop.services.groups import WindowGroups, wants_system_buttons
from rostrum.desktop.services.guards import Guards
from rostrum.desktop.services.instances import Instances
from rostrum.desktop.services.interception import Interceptors
from rostrum.desktop.services.native_windows import NativeWindows
from rostrum.desktop.services.page_access import Pages, show_in_browser
from rostrum.desktop.services.page_scripts import PageScripts
from rostrum.desktop.services.popups import Popups
from rostrum.desktop.services.tabs import TabGroups
from rostrum.desktop.services.window_control import WindowControl
from rostrum.desktop.services.window_questions import WindowQuestions
from rostrum.desktop.services.window_registry import WindowRegistry
from rostrum.desktop.services.windows import WindowManager
from rostrum.desktop.services.workspaces import Workspaces
from rostrum.desktop.t42.platform import ask_before_shutdown
from rostrum.desktop.windows.page_access import PageIdentity
from rostrum.desktop.windows.web_groups import group_page
from rostrum.settings.running import stream_of


def make_instances(
    earlier: Earlier,
    apps: Apps,
    interceptors: Interceptors,
    registry: WindowRegistry,
    questions: WindowQuestions,
    *,
    native: NativeWindows,
    node: str,
    clock: Clock,
) -> Instances:
    """Create the running apps, with a launcher for each type of app."""
    tokens = earlier.gateway.app_tokens
    pages = _make_pages(earlier, apps, clock)
    instances = Instances(
        apps.definition,
        _launchers(earlier, apps, registry, pages, native=native, node=node),
        title_format=earlier.configuration.settings.applications.title_format,
        new_id=new_id,
        names=apps.definitions,
        intercept=interceptors.passed,
    )
    instances.ended.connect(earlier.crashes.ended)
    instances.ended.connect(lambda one: tokens.end(one.instance.id))
    instances.ended.connect(lambda one: native.forget(one.instance.id))
    instances.failed.connect(tokens.end)
    pages.handle(
        earlier.reports, instances, open_window=registry.open, browse=show_in_browser, may_leave=questions.may_navigate
    )
    return instances


def _make_pages(earlier: Earlier, apps: Apps, clock: Clock) -> Pages:
    early, settings = earlier.local.early, earlier.configuration.settings
    return Pages(
        settings,
        earlier.host,
        earlier.gateway.app_tokens,
        scripts=PageScripts(
            settings, early.start.root, early.folders.cache / "scripts", clock, trusted=apps.is_trusted
        ),
        identity=PageIdentity(
            user=earlier.signed_in.user,
            environment=early.pair.env,
            region=early.pair.region,
            version=early.start.version,
            build="" if settings.build is None else str(settings.build),
            ui_version="" if settings.ui_version is None else str(settings.ui_version),
            machine=socket.gethostname(),
            process=os.getpid(),
        ),
        gateway=earlier.gateway.gateway.address,
        definition=apps.definition,
        trusted=apps.is_trusted,
        opens_files=apps.opens_files,
        html_container=early.settings.register_html_container is True,
    )


def _launchers(
    earlier: Earlier, apps: Apps, registry: WindowRegistry, pages: Pages, *, native: NativeWindows, node: str
) -> dict[str, Launcher]:
    early, settings, mode = earlier.local.early, earlier.configuration.settings, earlier.local.mode
    variables, host, reports = earlier.configuration.loaded.variables, earlier.host, earlier.reports
    surroundings = Surroundings(
        root=early.start.root,
        logs=early.folders.user_data / "logs",
        variables=variables,
        gateway=earlier.gateway.gateway.address,
        token=earlier.gateway.app_tokens.for_launch,
        env=early.pair.env,
        region=early.pair.region,
    )
    window = WindowLauncher(
        host,
        reports,
        settings,
        mode,
        stream=stream_of(early.start.version),
        spelling=lambda: earlier.local.live.value.spellchecker,
        opens_files=apps.opens_files,
        open_window=registry.open,
        access=pages.access,
    )
    chosen = expand(settings.node_path, variables).text if settings.node_path else node
    return {
        "exe": ExeLauncher(surroundings, native.follow),
        "node": NodeLauncher(surroundings, early.folders.cache / "scripts", node=chosen, trusted=apps.is_trusted),
        **dict.fromkeys(("clickonce", "citrix"), NativeLauncher(host, reports, settings, mode)),
        **dict.fromkeys(("window", "workspaces", "webGroup", "childWindow"), window),
    }


def make_windows(
    earlier: Earlier,
    apps: Apps,
    instances: Instances,
    registry: WindowRegistry,
    questions: WindowQuestions,
    *,
    native: NativeWindows,
    clock: Clock,
    background: BackgroundTasks,
) -> WindowServices:
    """Create the services for windows of running apps."""
    settings, mode = earlier.configuration.settings, earlier.local.mode
    management, host, reports = settings.window_management, earlier.host, earlier.reports
    dialogs = Dialogs(settings.dialogs, host)
    groups = WindowGroups(
        management,
        mode,
        host,
        instances,
        system_buttons=lambda: wants_system_buttons(apps.definitions()),
        page=lambda: group_page(apps.definitions()),
        new_id=new_id,
        registry=registry,
    )
    tabs = TabGroups(management, host, instances, groups, new_id=new_id)
    tabs.listen(reports, background)

    async def ungroup(instance: str) -> None:
        await tabs.leave(instance)
        await groups.leave(instance)

    workspaces = Workspaces(
        management, host, instances, definitions=apps.startable, background=background, ungroup=ungroup
    )
    reports.listen(HostRestored, lambda _: workspaces.redraw())
    groups.stays_apart = lambda one: one in workspaces.frames or workspaces.holds(one)
    GroupGestures(groups, tabs, registry, reports, background, workspaces=workspaces)
    manager = WindowManager(
        settings, mode, host, instances, groups=groups, tabs=tabs, reports=reports, background=background
    )
    ask_apps = partial(ask_before_shutdown, earlier.gateway.peer, earlier.gateway.callers, instances)
    guards = Guards(instances, dialogs, reports, questions=questions, ask_before_shutdown=ask_apps)
    control = WindowControl(
        registry,
        host,
        reports,
        instances,
        groups=groups,
        manager=manager,
        guards=guards,
        questions=questions,
        background=background,
        tabs=tabs,
    )
    return WindowServices(
        dialogs=dialogs,
        guards=guards,
        groups=groups,
        tabs=tabs,
        manager=manager,
        docking=Docking(registry, control, host, reports=reports, background=background),
        flydowns=Flydowns(management.flydown_windows, mode, host, reports=reports, background=background, clock=clock),
        popups=Popups(mode, host, instances, control, reports=reports, background=background),
        workspaces=workspaces,
        registry=registry,
        native=native,
        control=control,
        questions=questions,
    )
