"""Machines for administrators."""

from typing import Annotated, Any

from litestar import Response, delete, get
from litestar.params import PathParameter

from rostrum.manager.access.permissions import Permission
from rostrum.manager.http.dependencies import Part, Wanted
from rostrum.manager.http.listing import page_view
from rostrum.manager.http.openapi_responses import answers
from rostrum.manager.http.request import ManagerRequest
from rostrum.manager.http.responses import answer, nothing
from rostrum.manager.machines.topic import Machine, MachineService
from rostrum.manager.records import as_json, list_view, view
from rostrum.manager.topic import Routes

_VIEW = view(Machine, "MachineView", "A machine in responses.")
_LIST = list_view(_VIEW, "MachineList", "One page of machines.")

MachineKey = Annotated[str, PathParameter(description="The machine's id.", max_length=256)]


@get(
    "/admin/machines",
    operation_id="listMachines",
    tags=["machines"],
    **answers(200, _LIST, 304, 403, right=Permission.MACHINES_READ),
)
async def list_machines(request: ManagerRequest, machines: Part[MachineService], wanted: Wanted) -> Response[Any]:
    """List machines; filters: id, name, user."""
    page = await machines.page(request.user, wanted)
    return answer(request, page_view(page, as_json))


@get(
    "/admin/machines/{machine_id:str}",
    operation_id="readMachine",
    tags=["machines"],
    **answers(200, _VIEW, 304, 403, 404, right=Permission.MACHINES_READ),
)
async def read_machine(
    request: ManagerRequest, machines: Part[MachineService], machine_id: MachineKey
) -> Response[Any]:
    """Read a machine."""
    return answer(request, as_json(await machines.get(request.user, machine_id)))


@delete(
    "/admin/machines/{machine_id:str}",
    operation_id="deleteMachine",
    tags=["machines"],
    **answers(204, None, 403, 404, right=Permission.MACHINES_WRITE),
)
async def delete_machine(
    request: ManagerRequest, machines: Part[MachineService], machine_id: MachineKey
) -> Response[None]:
    """Delete a machine. It is listed again when one of its clients starts."""
    await machines.remove(request.user, machine_id)
    return nothing()


ROUTES = Routes((list_machines, read_machine, delete_machine))
