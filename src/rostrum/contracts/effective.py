"""Effective access of a user with reasons, for administrators."""

from pydantic import Field

from rostrum.contracts.body import View
from rostrum.contracts.config_explanation import LayerView, Membership
from rostrum.contracts.rollouts import UserRollout


class ReasonView(View):
    """A reason for access."""

    because: str = Field(description="owner, public, list (given to the user directly) or group")
    group: str | None = Field(None, description="The group of the access list.")
    via: list[str] | None = Field(None, description="The path from the user's direct group to this group.")
    text: str = Field(description="The reason as a sentence.")


class WhyNot(View):
    """A reason for missing access."""

    because: str = Field(description="userDisabled, disabled, notShared or hidden")
    groups: list[str] | None = Field(None, description="Groups that would grant access.")
    hidden_by: str | None = Field(None, description="The id of the layout that is shown instead.")
    text: str = Field(description="The reason as a sentence.")


class Grant(View):
    """An app, and whether and why the user has access."""

    name: str
    title: str
    given: bool
    reasons: list[ReasonView] = Field(description="All reasons for access, even if access is denied.")
    why_not: WhyNot | None = None
    rollout: UserRollout | None = Field(
        None, description="The version that the user receives, if the app is being rolled out in stages."
    )


class LayoutGrant(View):
    """A layout, and whether and why the user has access."""

    id: str
    name: str
    type: str
    owner: str
    given: bool
    reasons: list[ReasonView]
    why_not: WhyNot | None = None
    rollout: UserRollout | None = Field(
        None, description="The version that the user receives, if the layout is being rolled out in stages."
    )


class Grants(View):
    """One page of apps."""

    items: list[Grant]
    total: int


class LayoutGrants(View):
    """One page of layouts."""

    items: list[LayoutGrant]
    total: int


class DefaultLayoutGrant(View):
    """The default layout, and its origin."""

    name: str
    type: str
    because: str = Field(description="chosen (by the user) or flagged (for those who have chosen none)")


class LeftOut(LayerView):
    """A file of the same name that does not apply to the user."""

    text: str = Field(description="The reason as a sentence.")


class ConfigGrant(View):
    """A configuration file and its parts."""

    file: str
    given: bool
    layers: list[LayerView] = Field(description="The applied files, lowest precedence first.")
    left_out: list[LeftOut] = Field(description="Those of other groups and versions; other users' are not listed.")


class ConfigGrants(View):
    """One page of configuration files."""

    items: list[ConfigGrant]
    total: int


class EffectiveView(View):
    """The effective access of a user; parts that the caller may not read are null."""

    user: str
    disabled: bool = Field(description="A disabled user gets nothing.")
    groups: list[Membership]
    apps: Grants | None
    layouts: LayoutGrants | None
    default_layout: DefaultLayoutGrant | None
    configs: ConfigGrants | None
