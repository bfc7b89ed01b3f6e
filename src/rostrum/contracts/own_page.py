"""Members of app definitions that only change the app's own page and window.

Definitions that pages add to the in-memory store, and those of REST stores without ``trusted``, keep exactly these
members. All others, also unknown ones, are removed. ``far_reaching.py`` lists those that only administrators may set.
"""

import re
from collections.abc import Mapping
from typing import Any

from rostrum.base.shown_text import shown_text

_MEMBERS = """
    activityTarget activityTarget.enabled activityTarget.isIndependent activityTarget.windowType allowAutoArrange
    allowLogging allowMultiple allowRegisteringWorkspaceShortcuts allowWorkspaceDrop autoStart caption
    childrenInheritChannel closeOnHibernate configMode critical customProperties disabled fdc3 hidden icon
    ignoreFromLayouts ignoreSaveOnClose ignoreSavedLayout intents intents.contexts intents.customConfig
    intents.displayName intents.name intents.resultType keywords launcherApp name noDelayedRestore requiresSSO
    reuseHiddenInstances reuseInLayouts runPriority runPriority.priority runPriority.stage runPriority.timeout
    runPriority.waitForInitialization saveMultipleInstances service shell shortcut shutdownApplicationName sortOrder
    supportEmails suspendMetrics title tooltip type version
"""
OWN_PAGE = frozenset(_MEMBERS.split())
"""Members outside ``details``."""

_DETAILS = """
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
    hideTabHeader historyNavigationEnabled icon isChild isCollapsed isPinned isPopup isSticky jumpList layout
    layout.children layout.children.appName layout.children.children layout.children.children.appName
    layout.children.children.type layout.children.type layouts layouts.children layouts.children.appName
    layouts.children.children layouts.children.children.appName layouts.children.children.type layouts.children.type
    layouts.layoutName layouts.restoreConfig layouts.restoreConfig.context layouts.restoreConfig.noTabHeader left
    loader loader.background loader.enabled loader.hideOnLoad loader.size loader.sizeFactor loader.speed loader.text
    loader.textColor loader.textSize loader.type loading loading.batch loading.initialOffsetInterval
    loading.interval loading.loadingStrategy loading.persistCurrentStrategy loading.showDelayedIndicator logging
    logging.consoleMessages logging.consoleMessages.enabled logging.consoleMessages.level
    logging.networkRequestErrors logging.networkRequestErrors.enabled logging.unhandledErrors
    logging.unhandledErrors.enabled maxHeight maxWidth maximizable minHeight minWidth minimizable mode
    moveAreaBottomMargin moveAreaLeftMargin moveAreaPassThroughMouseHover moveAreaRightMargin moveAreaThickness
    moveAreaTopMargin name nativeWindowOpen nativeWindowOpenOptions navigation navigation.allowed
    navigation.trackInPageNavigation navigationResponseTimeoutSeconds onTop openInBrowser pagePerformanceMetric
    pagePerformanceMetric.enabled pagePerformanceMetric.initialPublishTimeout pagePerformanceMetric.publishInterval
    placement placement.bottom placement.display placement.height placement.horizontalAlignment placement.left
    placement.right placement.snapped placement.top placement.verticalAlignment placement.width pool pool.max
    pool.min print printToPdfSettings processAffinity processAffinity.affinity processAffinity.dedicatedProcess
    readOnlyChannelSelector refreshHandlers refreshHandlers.enabled refreshHandlers.timeout registerHtmlContainer
    relativeDirection relativeTo reloadOptions reloadOptions.maxAttempts reloadOptions.timeout restoreWorkspaceApp
    restoreWorkspacesByReference restrictWindowDropByOrigin retryCount retryFailedMessage retryInterval
    roundedCorners saveCurrentTitleInLayout saveCurrentUrlInLayout saveInLayout saveInLayout.title saveInLayout.url
    saveWorkspaceApp search search.enabled serviceWindow sfMode showCloneButton showFeedbackButton showInTaskbar
    showStickyButton showTitleBar sizeAreaPassThroughMouseHover sizeAreaThickness snapToScreenEdges
    snapToScreenEdges.distance snapToScreenEdges.enabled snappingEdges startLocation startLocation.display
    startLocation.height startLocation.location startLocation.sizeMode startLocation.stuck startLocation.width
    stickyFrameColor stickyGroup syncTitleWithDocumentTitle tabGroupId tabIndex tabSelected tabTitle tabToolTip
    tabTooltip tabWidth timeout title top transparent updateFrameConstraints url urlLoadOptions.baseURLForDataURL
    urlLoadOptions.httpReferrer urlLoadOptions.httpReferrer.policy urlLoadOptions.httpReferrer.url
    urlLoadOptions.queryString urlLoadOptions.userAgent useOSSystemButtons useRandomFrameColor userAgent
    visibleAreas visibleAreas.height visibleAreas.left visibleAreas.top visibleAreas.width width windowDragMode
    windowName windowOpen windowOpen.allowed windowState workspaceLoadingAnimation workspaceLoadingAnimation.enabled
    workspaceLoadingAnimation.hideOnLoad zoom
"""
OWN_PAGE_DETAILS = frozenset(_DETAILS.split())
"""Members of ``details``. Extend one of these lists only if every page may set the member."""
_LISTED = OWN_PAGE | {f"details.{one}" for one in OWN_PAGE_DETAILS}
_WITH_MEMBERS = frozenset(one.rsplit(".", steps)[0] for one in _LISTED for steps in range(1, one.count(".") + 1))
_ALLOWED = _LISTED | _WITH_MEMBERS
_TEXT_MEMBERS = """
    caption details.loader.text details.retryFailedMessage details.tabTitle details.tabToolTip details.tabTooltip
    details.title details.windowName intents.displayName keywords title tooltip
"""
_LONGEST_TEXT = 2000
_TEXTS = frozenset(_TEXT_MEMBERS.split())
"""Texts that users see. Names and addresses are not changed, because they identify what was checked."""
# Layouts can be nested to any depth.
_NESTED = re.compile(r"(children\.)+")


def own_page(definition: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a definition with the listed members only, and the paths of those that were removed."""
    removed: list[str] = []
    kept = _kept(definition, "", removed)
    return kept, tuple(dict.fromkeys(removed))


def _kept(value: Any, prefix: str, removed: list[str]) -> Any:
    if isinstance(value, list | tuple):
        return [_kept(one, prefix, removed) for one in value]
    if not isinstance(value, Mapping):
        return value
    result = {}
    for name, inner in value.items():
        path = _NESTED.sub("children.", f"{prefix}{name}.").removesuffix(".")
        if path not in _ALLOWED:
            removed.append(path)
        else:
            result[name] = _kept(inner, f"{path}.", removed) if path in _WITH_MEMBERS else _leaf(inner, path)
    return result


def _leaf(value: Any, path: str) -> Any:
    if path not in _TEXTS:
        return value
    if isinstance(value, list | tuple):
        return [_leaf(one, path) for one in value]
    return shown_text(value[:_LONGEST_TEXT]) if isinstance(value, str) else value
