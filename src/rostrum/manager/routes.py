"""All addresses of the API, relative to the base path."""

from litestar.handlers import HTTPRouteHandler

from rostrum.manager.access import routes as explain
from rostrum.manager.api_tokens import routes as api_tokens
from rostrum.manager.apps import routes as apps
from rostrum.manager.audit import routes as audit
from rostrum.manager.auth import routes as me
from rostrum.manager.batches import import_routes as user_imports
from rostrum.manager.batches import routes as batches
from rostrum.manager.browser_platform import routes as browser_platform
from rostrum.manager.browser_platform import store_routes as browser_platform_stores
from rostrum.manager.changes import routes as changes
from rostrum.manager.command_runs import routes as command_runs
from rostrum.manager.commands import routes as commands
from rostrum.manager.comparisons import routes as comparisons
from rostrum.manager.configs import routes as system_config
from rostrum.manager.crash_groups import routes as crash_groups
from rostrum.manager.crashes import routes as crashes
from rostrum.manager.dashboard import routes as dashboard
from rostrum.manager.directories import routes as directories
from rostrum.manager.events import routes as events
from rostrum.manager.feedback import routes as feedback
from rostrum.manager.groups import routes as groups
from rostrum.manager.history import routes as history
from rostrum.manager.http import openapi
from rostrum.manager.layouts import routes as layouts
from rostrum.manager.machines import routes as machines
from rostrum.manager.password_links import routes as password_links
from rostrum.manager.preferences import routes as preferences
from rostrum.manager.preview import routes as previews
from rostrum.manager.proposals import routes as proposals
from rostrum.manager.rollouts import routes as rollouts
from rostrum.manager.sessions import routes as sessions
from rostrum.manager.status import routes as status
from rostrum.manager.transfer import routes as transfer
from rostrum.manager.users import routes as users
from rostrum.manager.views import routes as views

HANDLERS: tuple[HTTPRouteHandler, ...] = (
    # GET /me · POST /me/confirm · GET /signin[/options] · POST /logout · POST /token/refresh
    me.read_me,
    me.read_sign_in_options,
    me.sign_in,
    me.confirm_identity,
    me.change_own_password,
    me.read_own_sessions,
    me.sign_out_everywhere,
    me.log_out,
    me.refresh_token,
    # GET /whoami · POST /user/hello · POST /user · POST /user/refresh · POST /user/goodbye · GET /user/apps
    # GET /v2/server/info
    me.who_am_i,
    *browser_platform.HANDLERS,
    # /user/layouts[/default · /{id}[/rename]] · /user/prefs[/{app}]
    *browser_platform_stores.HANDLERS,
    # GET /apps · GET /v2/apps[/{appId}] · /admin/apps[/{name}] · /admin/imports/apps
    *apps.HANDLERS,
    # GET /directory/{key}/v2/apps[/{appId}], no credentials · /admin/directories[/{id}]
    *directories.HANDLERS,
    # /layouts · /layouts/default · /default · /admin/layouts[/{id}] · /admin/imports/layouts
    *layouts.HANDLERS,
    # /prefs · /prefs/all · /admin/prefs[/{id}]
    *preferences.HANDLERS,
    # /systemConfig/get · /admin/configs[/{id}]
    *system_config.HANDLERS,
    # /admin/configs/explain · /admin/users/{id}/effective
    *explain.HANDLERS,
    # /admin/users/{id}/compare · /admin/groups/{name}/compare
    *comparisons.HANDLERS,
    # /admin/previews/configs · and the same of apps, layouts, users and groups
    *previews.HANDLERS,
    # /admin/crashes[/{id}[/minidump]]
    *crashes.HANDLERS,
    # /admin/crash-groups[/{id}[/changes|/notes]]
    *crash_groups.HANDLERS,
    # /admin/feedback[/{id}[/attachment]]
    *feedback.HANDLERS,
    # /sessions[/{id}] · /admin/sessions[/{id}]
    *sessions.HANDLERS,
    # /sessions/{id}/commands · /admin/commands[/{id}]
    *commands.HANDLERS,
    # /admin/commands/runs[/preview · /{id}[/targets · /pause · /continue · /cancel]]
    *command_runs.HANDLERS,
    # /admin/rollouts/{apps · layouts · configs}[/{id}[/advance · /halt · /resume · /finish · /withdraw]]
    *rollouts.HANDLERS,
    # GET /events
    *events.HANDLERS,
    # /admin/machines[/{id}]
    *machines.HANDLERS,
    # /admin/users[/{id}]
    *users.HANDLERS,
    # /admin/password-links · /password-links/open · /password-links/use
    *password_links.HANDLERS,
    # /me/tokens[/{id}] · /admin/tokens[/{id}]
    *api_tokens.HANDLERS,
    # /admin/groups[/{name}]
    *groups.HANDLERS,
    # /admin/batches/{kind}[/preview · /{id}[/targets · /resume · /cancel]]
    *batches.HANDLERS,
    # /admin/batches/users/import[/preview]
    *user_imports.HANDLERS,
    # /admin/proposals[/{id}[/approve · /reject]]
    *proposals.HANDLERS,
    # GET /admin/change-rules
    *changes.HANDLERS,
    # GET /admin/dashboard
    *dashboard.HANDLERS,
    # /admin/views[/{id}]
    *views.HANDLERS,
    # /admin/audit[/{number}]
    *audit.HANDLERS,
    # below each kind of document: /{id}/revisions[/{n} · /compare] · /{id}/rollback; /admin/history/{kind}/rollback
    *history.HANDLERS,
    # GET /admin/server · GET /admin/export
    *status.HANDLERS,
    transfer.export_server,
    # GET /health/live · /health/ready, no credentials
    *status.HEALTH_HANDLERS,
    # GET /metrics, no credentials
    *status.METRICS_HANDLERS,
    # GET /openapi.json, no credentials; its page is /docs
    openapi.openapi_document,
)

LARGE_HANDLERS: tuple[HTTPRouteHandler, ...] = (
    # POST /crashes · POST /feedback, with files
    crashes.receive_crash,
    feedback.receive_feedback,
)

HUGE_HANDLERS: tuple[HTTPRouteHandler, ...] = (
    # POST /admin/import: all data of a server
    transfer.import_server,
)
