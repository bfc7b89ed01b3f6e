"""FDC3 desktop agents on a gateway: one agent for each user, shared by pages, windows and programs."""

from rostrum.agents.gateway_link import PlatformPeer, ProgramPeer
from rostrum.agents.profile import ChannelDefinition, Profile, Profiles
from rostrum.agents.service import AgentService, peer_of_platforms
from rostrum.agents.user_agent import Link, UserAgent

__all__ = [
    "AgentService",
    "ChannelDefinition",
    "Link",
    "PlatformPeer",
    "Profile",
    "Profiles",
    "ProgramPeer",
    "UserAgent",
    "peer_of_platforms",
]
