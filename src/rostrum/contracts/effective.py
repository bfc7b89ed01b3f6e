"""What a user gets and why, as answered to administrators."""

from pydantic import Field

from rostrum.contracts.body import View
from rostrum.contracts.config_explanation import LayerView, Membership


class ReasonView(View):
    """One reason to get something."""

    because: str = Field(description="owner, public, list (given to the user directly) or group")
    group: str | None = Field(None, description="The group of the access list.")
    via: list[str] | None = Field(None, description="From the group the user was put into to that one.")
    text: str = Field(description="The same in a sentence.")


class WhyNot(View):
    """What is in the way."""

    because: str = Field(description="userDisabled, disabled, notShared or hidden")
    groups: list[str] | None = Field(None, description="Groups that would give it.")
    hidden_by: str | None = Field(None, description="The id of the layout that is shown instead.")
    text: str = Field(description="The same in a sentence.")


class Grant(View):
    """An app, whether the user gets it, and why."""

    name: str
    title: str
    given: bool
    reasons: list[ReasonView] = Field(description="All that speaks for it, even when something is in the way.")
    why_not: WhyNot | None = None


class LayoutGrant(View):
    """A layout, whether the user gets it, and why."""

    id: str
    name: str
    type: str
    owner: str
    given: bool
    reasons: list[ReasonView]
    why_not: WhyNot | None = None


class Grants(View):
    """One page of apps."""

    items: list[Grant]
    total: int


class LayoutGrants(View):
    """One page of layouts."""

    items: list[LayoutGrant]
    total: int


class DefaultLayoutGrant(View):
    """The default layout, and who chose it."""

    name: str
    type: str
    because: str = Field(description="chosen (by the user) or flagged (for those who have chosen none)")


class LeftOut(LayerView):
    """A file of the same name that does not count for the user."""

    text: str = Field(description="Why not, in a sentence.")


class ConfigGrant(View):
    """A configuration file, and what it is made of."""

    file: str
    given: bool
    layers: list[LayerView] = Field(description="The stored files that count, weakest first.")
    left_out: list[LeftOut] = Field(description="Those of other groups and versions; other users' are not listed.")


class ConfigGrants(View):
    """One page of configuration files."""

    items: list[ConfigGrant]
    total: int


class EffectiveView(View):
    """What a user gets; parts that the caller may not read are null."""

    user: str
    disabled: bool = Field(description="A disabled user gets nothing.")
    groups: list[Membership]
    apps: Grants | None
    layouts: LayoutGrants | None
    default_layout: DefaultLayoutGrant | None
    configs: ConfigGrants | None
