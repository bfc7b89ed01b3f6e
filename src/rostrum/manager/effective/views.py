"""Response bodies for effective access and explanations, with the sentences that people read."""

from collections.abc import Mapping
from typing import Any

from rostrum.base.problems import json_path
from rostrum.contracts.system_config import Scope
from rostrum.manager.access.reasons import Obstacle, Reason, Verdict
from rostrum.manager.access.sentences import reason_text, why_not_text
from rostrum.manager.apps.model import AppAccess
from rostrum.manager.configs.checks import problem_view
from rostrum.manager.configs.explained_values import ExplainedValue
from rostrum.manager.configs.explanations import ConfigExplanation
from rostrum.manager.configs.model import ConfigFile
from rostrum.manager.effective.service import ConfigGrant, Effective, GrantPage
from rostrum.manager.groups.model import way
from rostrum.manager.layouts.model import LayoutAccess
from rostrum.manager.rollouts.serving import UserVersion
from rostrum.settings.catalogue import Declaration

Reached = Mapping[str, str | None]
Rollouts = Mapping[str, UserVersion]


def explanation_view(explanation: ConfigExplanation) -> dict[str, Any]:
    question = explanation.question
    return {
        "asked": {
            "user": question.user,
            "group": question.group,
            "version": question.version,
            "file": question.file,
            "path": question.path,
        },
        "groups": _memberships(explanation.reached, explanation.priorities),
        "layers": [
            layer_view(config, explanation.rollouts) for configs in explanation.layers.values() for config in configs
        ],
        "items": [_value(value, explanation.rollouts) for value in explanation.values],
        "total": explanation.total,
        "more": max(0, explanation.total - question.offset - len(explanation.values)),
        "dropped": [
            {
                **layer_view(each.origin),
                "path": json_path(each.path),
                "value": each.value,
                "by": layer_view(each.by),
            }
            for file in explanation.files
            for each in file.dropped
        ],
        "moreDropped": sum(file.more_dropped for file in explanation.files),
        "problems": [
            {"file": file.file, **problem_view(problem)} for file in explanation.files for problem in file.problems
        ],
    }


def effective_view(effective: Effective) -> dict[str, Any]:
    """Describe the access of a user."""
    chosen = effective.default_layout
    return {
        "user": effective.user.id,
        "disabled": effective.user.disabled,
        "groups": _memberships(effective.reached, effective.priorities),
        "apps": _part(effective.apps, lambda pair: _app(pair[0], pair[1], effective)),
        "layouts": _part(effective.layouts, lambda pair: _layout(pair[0], pair[1], effective)),
        "defaultLayout": chosen
        and {"name": chosen.name, "type": chosen.type, "because": "chosen" if chosen.is_chosen else "flagged"},
        "configs": _part(effective.configs, lambda grant: _config(grant, effective)),
    }


def layer_view(config: ConfigFile, rollouts: Rollouts | None = None) -> dict[str, Any]:
    """Describe a stored file without its contents."""
    return {
        "id": config.id,
        "file": config.file,
        "scope": config.scope.value,
        "target": config.target,
        "revision": config.stamp.revision,
        "modified": config.stamp.modified,
        "modifiedBy": config.stamp.modified_by,
        "rollout": _rollout(config.rollout, rollouts or {}),
    }


def _rollout(rollout: str | None, rollouts: Rollouts) -> dict[str, Any] | None:
    found = None if rollout is None else rollouts.get(rollout)
    return None if found is None else found.as_json()


def _part(part: GrantPage[Any] | None, view: Any) -> dict[str, Any] | None:
    return None if part is None else {"items": [view(item) for item in part.items], "total": part.total}


def _memberships(reached: Reached, priorities: Mapping[str, int]) -> list[dict[str, Any]]:
    ordered = sorted(reached, key=lambda name: (-priorities.get(name, 0), name))
    return [{"name": name, "priority": priorities.get(name, 0), "via": way(reached, name)} for name in ordered]


def _value(value: ExplainedValue, rollouts: Rollouts) -> dict[str, Any]:
    setting = value.setting
    return {
        "file": value.file,
        "path": value.path,
        "value": value.value,
        "status": value.status,
        "inForce": value.effective,
        "default": setting.default if setting and setting.path == value.path else None,
        "winner": value.winner and layer_view(value.winner, rollouts),
        "losers": [
            {**layer_view(loser.origin), "path": json_path(loser.path), "value": loser.value} for loser in value.losers
        ],
        "setting": setting and _setting(setting),
        "problems": [problem_view(problem) for problem in value.problems],
    }


def _setting(setting: Declaration) -> dict[str, Any]:
    return {
        "path": setting.path,
        "type": setting.type,
        "text": setting.text,
        "enum": setting.enum,
        "minimum": setting.minimum,
        "maximum": setting.maximum,
        "unit": setting.unit,
        "since": setting.since,
        "stream": setting.stream,
        "mode": setting.mode,
        "localOnly": setting.local_only,
        "reapplied": setting.reapplied,
    }


def _app(app: AppAccess, verdict: Verdict, effective: Effective) -> dict[str, Any]:
    return {"name": app.name, "title": app.title, **_evaluated(verdict, app, effective)}


def _layout(layout: LayoutAccess, verdict: Verdict, effective: Effective) -> dict[str, Any]:
    return {
        "id": layout.id,
        "name": layout.name,
        "type": layout.type,
        "owner": layout.owner,
        **_evaluated(verdict, layout, effective),
    }


def _evaluated(verdict: Verdict, item: AppAccess | LayoutAccess, effective: Effective) -> dict[str, Any]:
    return {
        "given": verdict.visible,
        "reasons": [_reason(reason, effective.reached) for reason in verdict.reasons],
        "whyNot": None if verdict.obstacle is None else _why_not(verdict, verdict.obstacle, item.access),
        "rollout": _rollout(item.rollout, effective.rollouts) if verdict.visible else None,
    }


def _reason(reason: Reason, reached: Reached) -> dict[str, Any]:
    via = None if reason.group is None else way(reached, reason.group)
    return {"because": reason.because.value, "group": reason.group, "via": via, "text": reason_text(reason, via)}


def _why_not(verdict: Verdict, obstacle: Obstacle, access: tuple[str, ...]) -> dict[str, Any]:
    return {
        "because": obstacle.value,
        "groups": access if obstacle is Obstacle.NOT_SHARED else None,
        "hiddenBy": verdict.hidden_by,
        "text": why_not_text(obstacle, access),
    }


def _config(grant: ConfigGrant, effective: Effective) -> dict[str, Any]:
    return {
        "file": grant.file,
        "given": bool(grant.layers),
        "layers": [layer_view(config, effective.rollouts) for config in grant.layers],
        "leftOut": [{**layer_view(config), "text": _left_out(config, effective)} for config in grant.left_out],
    }


def _left_out(config: ConfigFile, effective: Effective) -> str:
    if effective.user.disabled:
        return "the user is disabled"
    if config.scope is Scope.GROUP:
        return f"the user is not in the group {config.target}"
    asked = effective.version or "none"
    return f"applies to version {config.target}; the requested version is {asked}"
