/** The changes of one document by an operation. */

import { Paper, Text, Title } from "@mantine/core";
import type { AuditChange, AuditEdit } from "../../api/generated/client";
import type { Change } from "../../ui/document/changes";
import { ChangesTable } from "../../ui/document/changes-table";
import { pathOf, TextLink } from "../../ui/link";

const PAGES: Readonly<Record<string, string>> = {
  app: "apps",
  layout: "layouts",
  preference: "preferences",
  config: "configs",
  user: "users",
  group: "groups",
};

export function DocumentChange({ change }: { change: AuditChange }) {
  const page = PAGES[change.kind];
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        {change.kind}{" "}
        {page && change.action !== "deleted" ? (
          <TextLink to={pathOf(page, change.id)}>{change.id}</TextLink>
        ) : (
          change.id
        )}{" "}
        {change.action}
      </Title>
      {change.withheld ? (
        <Text size="sm">Contents hidden. Viewing them requires permission to read this kind of document.</Text>
      ) : (
        <ChangesTable
          changes={change.diff.map(asChange)}
          before="Before"
          after="After"
          same="No visible member has changed."
        />
      )}
      {change.omitted ? <Text size="sm">and {change.omitted} more differences</Text> : null}
    </Paper>
  );
}

/** A change of an audit entry; large values are replaced by their size. */
function asChange(edit: AuditEdit): Change {
  const path = edit.path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const before = edit.beforeSize ? `${edit.beforeSize} bytes` : edit.before;
  const after = edit.afterSize ? `${edit.afterSize} bytes` : edit.after;
  return { path, ...(edit.op === "add" ? {} : { before }), ...(edit.op === "remove" ? {} : { after }) };
}
