/** Selects the columns and the row height of a list, and saves, opens, changes and deletes views. */

import { ActionIcon, Button, Checkbox, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useClient, useMe } from "../../api/context";
import { messageOf } from "../../api/errors";
import type { NewSavedView, SavedViewView } from "../../api/generated/client";
import { Icon } from "../icons";
import { Label } from "../labels";
import { TextLink } from "../link";
import { showDone, showError } from "../notices";
import { QueryState } from "../states/query-state";
import type { Column } from "./columns";
import { parseSearch, type Search, useSetSearch } from "./list-search";
import { chosenColumns, moved, toggled, viewSearch } from "./view";

export interface ViewPanelProps {
  /** The name of the list for saved views; null for lists without saved views. */
  list: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: the rows do not matter here
  columns: readonly Column<any>[];
}

export function ViewPanel({ list, columns }: ViewPanelProps) {
  return (
    <Stack>
      {list !== null && <SavedViews list={list} />}
      <Columns columns={columns} />
    </Stack>
  );
}

function Columns({ columns }: Pick<ViewPanelProps, "columns">) {
  const search = useSearch({ strict: false }) as Search;
  const setSearch = useSetSearch();
  const chosen = chosenColumns(columns, (search.columns ?? "").split(",")).map((column) => column.id);
  const set = (ids: readonly string[]) => {
    const isDefault = ids.join() === columns.map((column) => column.id).join();
    setSearch({ columns: isDefault ? "" : ids.join() });
  };
  const others = columns.map((column) => column.id).filter((id) => !chosen.includes(id));
  const headers = new Map(columns.map((column) => [column.id, column.header]));
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Columns and rows
      </Title>
      {[...chosen, ...others].map((id) => {
        const header = headers.get(id) ?? id;
        const place = chosen.indexOf(id);
        return (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Checkbox
              label={header}
              checked={place >= 0}
              disabled={place >= 0 && chosen.length === 1}
              onChange={() => set(toggled(chosen, id))}
            />
            {place >= 0 && (
              <Group gap={4} wrap="nowrap">
                <ActionIcon
                  variant="default"
                  aria-label={`Move ${header} up`}
                  disabled={place === 0}
                  onClick={() => set(moved(chosen, id, -1))}
                >
                  <Icon name="up" size={14} />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  aria-label={`Move ${header} down`}
                  disabled={place === chosen.length - 1}
                  onClick={() => set(moved(chosen, id, 1))}
                >
                  <Icon name="down" size={14} />
                </ActionIcon>
              </Group>
            )}
          </Group>
        );
      })}
      <Checkbox
        mt="xs"
        label="Compact rows"
        checked={search.density === "compact"}
        onChange={(event) => setSearch({ density: event.currentTarget.checked ? "compact" : "", row: "" })}
      />
      {(search.columns || search.density) && (
        <Button variant="default" size="xs" onClick={() => setSearch({ columns: "", density: "", row: "" })}>
          Reset columns and rows
        </Button>
      )}
    </Stack>
  );
}

function SavedViews({ list }: { list: string }) {
  const client = useClient();
  const search = useSearch({ strict: false }) as Search;
  const views = useQuery({
    queryKey: ["views", list],
    queryFn: async ({ signal }) => {
      const query = { list, limit: 1000, sort: "name" };
      return (await client.call("listViews", { query, signal })).data.items;
    },
  });
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Saved views
      </Title>
      <QueryState query={views}>
        {(items) => (
          <>
            {items.length === 0 && (
              <Text size="sm" c="dimmed">
                No saved views yet. Save the current filters, sorting and columns under a name.
              </Text>
            )}
            {items.map((view) => (
              <SavedView key={view.id} view={view} isCurrent={view.id === search.view} />
            ))}
          </>
        )}
      </QueryState>
      <SaveForm list={list} />
    </Stack>
  );
}

function SavedView({ view, isCurrent }: { view: SavedViewView; isCurrent: boolean }) {
  const client = useClient();
  const me = useMe();
  const queries = useQueryClient();
  const search = useSearch({ strict: false }) as Search;
  const setSearch = useSetSearch();
  const [name, setName] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const pathname = useLocation({ select: (location) => location.pathname });
  const mayChange = view.owner === me.id || me.groups.includes("PLATFORM_SERVER_ADMIN");
  const act = async (action: () => Promise<unknown>, done: string) => {
    try {
      await action();
      await queries.invalidateQueries({ queryKey: ["views"] });
      showDone(done);
    } catch (error) {
      showError(error);
    }
  };
  const path = { view_id: view.id };
  const change = (body: Partial<Pick<SavedViewView, "name" | "search" | "shared">>) =>
    client.call("changeView", { path, body });
  const current = viewSearch(search);
  const small = { size: "compact-xs", variant: "default" } as const;
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap">
        <TextLink
          to={pathname}
          search={{ ...parseSearch(view.search), view: view.id }}
          className="breaks"
          {...(isCurrent ? { "aria-current": true as const } : {})}
        >
          {view.name}
        </TextLink>
        {isCurrent && <Label color="rostrum">open</Label>}
        {view.shared && <Label>{view.owner === me.id ? "shared" : `shared by ${view.owner}`}</Label>}
      </Group>
      {mayChange && name === null && !isDeleting && (
        <Group gap={4}>
          {isCurrent && current !== view.search && (
            <Button {...small} onClick={() => void act(() => change({ search: current }), "Saved.")}>
              Save changes
            </Button>
          )}
          <Button {...small} onClick={() => setName(view.name)}>
            Rename
          </Button>
          <Button
            {...small}
            onClick={() =>
              void act(() => change({ shared: !view.shared }), view.shared ? "No longer shared." : "Shared.")
            }
          >
            {view.shared ? "Stop sharing" : "Share"}
          </Button>
          <Button {...small} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </Group>
      )}
      {isDeleting && (
        <Group gap={4}>
          <Text size="sm">{view.shared ? "Delete this view for all users?" : "Delete this view?"}</Text>
          <Button
            size="compact-xs"
            color="red"
            onClick={() =>
              void act(async () => {
                await client.call("deleteView", { path });
                if (isCurrent) setSearch({ view: "" });
              }, "Deleted the view.")
            }
          >
            Delete
          </Button>
          <Button {...small} onClick={() => setDeleting(false)}>
            Cancel
          </Button>
        </Group>
      )}
      {name !== null && (
        <Group gap={4} align="flex-end" wrap="nowrap">
          <TextInput
            size="xs"
            label="New name"
            value={name}
            maxLength={256}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button
            size="xs"
            disabled={name === ""}
            onClick={() => void act(() => change({ name }), "Renamed.").then(() => setName(null))}
          >
            Rename
          </Button>
          <Button size="xs" variant="default" onClick={() => setName(null)}>
            Cancel
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function SaveForm({ list }: { list: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const search = useSearch({ strict: false }) as Search;
  const setSearch = useSetSearch();
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const [problem, setProblem] = useState("");
  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const body = { list: list as NewSavedView["list"], name, shared: isShared, search: viewSearch(search) };
      const { data } = await client.call("createView", { body });
      await queries.invalidateQueries({ queryKey: ["views"] });
      setSearch({ view: data.id });
      setName("");
      setProblem("");
      showDone(`Saved the view ${data.name}.`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <form onSubmit={(event) => void save(event)} aria-label="Save view">
      <Stack gap="xs">
        <TextInput
          label="Save the current view as"
          value={name}
          maxLength={256}
          error={problem || undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="space-between" wrap="nowrap">
          <Checkbox
            label="Share with all users who may read this list"
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <Button type="submit" size="xs" disabled={name === ""}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
