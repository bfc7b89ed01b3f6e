"""Every member of a page's definition is decided: it reaches further than the page, or it does not."""

from collections.abc import Iterator
from typing import Any

import pytest

from rostrum.contracts.addresses import PAGE_TYPES
from rostrum.contracts.apps import DETAILS, AppDefinition
from rostrum.contracts.far_reaching import FAR_REACHING, far_reaching_members

_HARMLESS = """
    activityTarget activityTarget.enabled activityTarget.isIndependent activityTarget.windowType allowAutoArrange
    allowLogging allowMultiple allowRegisteringWorkspaceShortcuts allowWorkspaceDrop autoStart caption
    childrenInheritChannel closeOnHibernate configMode critical customProperties disabled fdc3 hidden icon
    ignoreFromLayouts ignoreSaveOnClose ignoreSavedLayout intents intents.contexts intents.customConfig
    intents.displayName intents.name intents.resultType keywords launcherApp name noDelayedRestore requiresSSO
    reuseHiddenInstances reuseInLayouts runPriority runPriority.priority runPriority.stage runPriority.timeout
    runPriority.waitForInitialization saveMultipleInstances service shell shortcut shutdownApplicationName sortOrder
    supportEmails suspendMetrics title tooltip type version
"""
HARMLESS = frozenset(_HARMLESS.split())
"""Members that only change the app's own page and window."""

_HARMLESS_DETAILS = """
    activateFrame addApplicationApp allowChannels allowClearingCache allowClose allowCollapse allowExtract
    allowForward allowLockUnlock allowMaximize allowMinimize allowOverrides allowOverrides.url allowTabClose
    allowUnstick allowWorkspaceTabExtract allowedOrigins autoAlign autoInjectAPI autoInjectAPI.autoInit
    autoInjectAPI.enabled autoInjectFdc3.autoInit autoInjectFdc3.enabled autoOpenDevTools autoRequestFocusInIframes
    autoSnap backgroundColor backgroundThrottling borderColor bounds bounds.height bounds.left bounds.top
    bounds.width buttonsVisibility captureErrors cascade cascade.enabled cascade.offset channelId channelSelector
    channelSelector.channelId channelSelector.enabled channelSelector.preventModifyingRestrictionsFor
    channelSelector.preventModifyingRestrictionsFor.name channelSelector.preventModifyingRestrictionsFor.read
    channelSelector.preventModifyingRestrictionsFor.write channelSelector.readOnly channelSelector.type
    closeHandlers closeHandlers.enabled closeHandlers.timeout collapseHeight consoleLogLevel context contextMenu
    contextMenu.enabled contextMenu.mode contextMenuEnabled contextMenuMode default devToolsEnable dialogs
    dialogs.enableDefaultDialogs dialogs.enableDefaultDialogs.preventClose disableRefreshOnF5 disableTransitions
    docking docking.allowedPositions docking.claimScreenArea docking.enabled docking.height docking.initialPosition
    docking.width fdc3InitsGlue focus frameColor framePool frameStartLocation hasMoveAreas hasSizeAreas height
    hibernation hibernation.enabled hibernation.interval hibernation.rules hibernation.rules.enabled
    hibernation.rules.threshold hibernation.rules.type hibernation.workspacesToClose hidden hideGroupHeader
    hideTabHeader historyNavigationEnabled icon injectedStyles.replace isChild isCollapsed isPinned isPopup isSticky
    jumpList layout layout.children layout.children.appName layout.children.children
    layout.children.children.appName layout.children.children.type layout.children.type layouts layouts.children
    layouts.children.appName layouts.children.children layouts.children.children.appName
    layouts.children.children.type layouts.children.type layouts.layoutName layouts.restoreConfig
    layouts.restoreConfig.context layouts.restoreConfig.noTabHeader left loader loader.background loader.enabled
    loader.hideOnLoad loader.size loader.sizeFactor loader.speed loader.text loader.textColor loader.textSize
    loader.type loading loading.batch loading.initialOffsetInterval loading.interval loading.loadingStrategy
    loading.persistCurrentStrategy loading.showDelayedIndicator logging logging.consoleMessages
    logging.consoleMessages.enabled logging.consoleMessages.level logging.networkRequestErrors
    logging.networkRequestErrors.enabled logging.unhandledErrors logging.unhandledErrors.enabled maxHeight maxWidth
    maximizable minHeight minWidth minimizable mode moveAreaBottomMargin moveAreaLeftMargin
    moveAreaPassThroughMouseHover moveAreaRightMargin moveAreaThickness moveAreaTopMargin name nativeWindowOpen
    nativeWindowOpenOptions navigation navigation.allowed navigation.trackInPageNavigation
    navigationResponseTimeoutSeconds onTop openInBrowser pagePerformanceMetric pagePerformanceMetric.enabled
    pagePerformanceMetric.initialPublishTimeout pagePerformanceMetric.publishInterval placement placement.bottom
    placement.display placement.height placement.horizontalAlignment placement.left placement.right
    placement.snapped placement.top placement.verticalAlignment placement.width pool pool.max pool.min print
    printToPdfSettings processAffinity processAffinity.affinity processAffinity.dedicatedProcess
    readOnlyChannelSelector refreshHandlers refreshHandlers.enabled refreshHandlers.timeout registerHtmlContainer
    relativeDirection relativeTo reloadOptions reloadOptions.maxAttempts reloadOptions.timeout restoreWorkspaceApp
    restoreWorkspacesByReference restrictWindowDropByOrigin retryCount retryFailedMessage retryInterval
    roundedCorners saveCurrentTitleInLayout saveCurrentUrlInLayout saveInLayout saveInLayout.title saveInLayout.url
    saveWorkspaceApp search search.enabled security.contextIsolation security.onCertificateError.reportURL
    serviceWindow sfMode showCloneButton showFeedbackButton showInTaskbar showStickyButton showTitleBar
    sizeAreaPassThroughMouseHover sizeAreaThickness snapToScreenEdges snapToScreenEdges.distance
    snapToScreenEdges.enabled snappingEdges startLocation startLocation.display startLocation.height
    startLocation.location startLocation.sizeMode startLocation.stuck startLocation.width stickyFrameColor
    stickyGroup syncTitleWithDocumentTitle tabGroupId tabIndex tabSelected tabTitle tabToolTip tabTooltip tabWidth
    taskbar.allowPin taskbar.appId taskbar.combineIcons taskbar.displayName taskbar.iconIndex taskbar.iconPath
    timeout title top transparent updateFrameConstraints url urlLoadOptions.baseURLForDataURL
    urlLoadOptions.extraHeaders urlLoadOptions.httpReferrer urlLoadOptions.httpReferrer.policy
    urlLoadOptions.httpReferrer.url urlLoadOptions.queryString urlLoadOptions.userAgent useOSSystemButtons
    useRandomFrameColor userAgent visibleAreas visibleAreas.height visibleAreas.left visibleAreas.top
    visibleAreas.width width windowDragMode windowName windowOpen windowOpen.allowed windowState
    workspaceLoadingAnimation workspaceLoadingAnimation.enabled workspaceLoadingAnimation.hideOnLoad zoom
"""
HARMLESS_DETAILS = frozenset(_HARMLESS_DETAILS.split())
"""The same, in ``details``. Extend one of these lists only if any author of apps may set the member."""


def members(schema: dict[str, Any], shapes: dict[str, Any], prefix: str, around: frozenset[str]) -> Iterator[str]:
    """Yield the paths of all declared members, also of those inside others; a shape inside itself only once."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in around:
            return
        schema, around = shapes[name], around | {name}
    for name, inner in schema.get("properties", {}).items():
        yield f"{prefix}{name}"
        yield from members(inner, shapes, f"{prefix}{name}.", around)
    further = [inner for key in ("anyOf", "oneOf", "allOf") for inner in schema.get(key, ())]
    for inner in (*further, schema.get("items")):
        if isinstance(inner, dict):
            yield from members(inner, shapes, prefix, around)


def declared() -> set[str]:
    schema = AppDefinition.model_json_schema()
    outer = {name: one for name, one in schema["properties"].items() if name != "details"}
    found = set(members({"properties": outer}, schema["$defs"], "", frozenset()))
    for kind, shape in DETAILS.items():
        if kind.lower() in PAGE_TYPES:
            schema = shape.model_json_schema()
            found |= set(members(schema, schema["$defs"], "details.", frozenset()))
    return found


def test_each_member_is_decided() -> None:
    known = declared()
    harmless = {*HARMLESS, *(f"details.{one}" for one in HARMLESS_DETAILS)}
    further = {
        path
        for path in known
        if any(path == one or path.startswith(f"{one}.") or one.startswith(f"{path}.") for one in FAR_REACHING)
    }
    assert known - further - harmless == set(), "decide whether these reach further than the page of the app"
    assert harmless - known == set()
    assert further & harmless == set()


@pytest.mark.parametrize("path", FAR_REACHING)
def test_each_listed_member_is_found(path: str) -> None:
    value: Any = {"sandbox": False, "webSecurity": False, "action": "ask"}.get(path.rpartition(".")[2], ["x"])
    for step in reversed(path.split(".")):
        value = {step: value}
    assert list(far_reaching_members({"type": "window", **value})) == [path]
