/** The newest changes of administrators: author, document, reason, and a link to the revision. */

import { Stack, Text } from "@mantine/core";
import { useMay } from "../../api/context";
import type { DashboardView } from "../../api/generated/client";
import { pathOf, TextLink } from "../../ui/link";
import { Ticket } from "../../ui/ticket";
import { Time } from "../../ui/time";
import { DashboardCard } from "./dashboard-card";

type Change = DashboardView["changes"][number];

/** The pages and names of the kinds of documents. */
const KINDS: Record<string, { path: string; noun: string; nouns: string }> = {
  app: { path: "apps", noun: "app", nouns: "apps" },
  layout: { path: "layouts", noun: "layout", nouns: "layouts" },
  preference: { path: "preferences", noun: "preference", nouns: "preferences" },
  config: { path: "configs", noun: "configuration file", nouns: "configuration files" },
  user: { path: "users", noun: "user", nouns: "users" },
  group: { path: "groups", noun: "group", nouns: "groups" },
};

export function ChangesCard({ changes }: { changes: readonly Change[] }) {
  const mayAudit = useMay("AUDITS", "READ");
  return (
    <DashboardCard title="Recent changes" to={mayAudit ? "/audit" : undefined}>
      {changes.length === 0 ? (
        <Text c="dimmed">No changes yet.</Text>
      ) : (
        <Stack gap={8} component="ul" className="plain-list">
          {changes.map((change) => (
            <li key={change.revision}>
              <OneChange change={change} mayAudit={mayAudit} />
            </li>
          ))}
        </Stack>
      )}
    </DashboardCard>
  );
}

function OneChange({ change, mayAudit }: { change: Change; mayAudit: boolean }) {
  const { document } = change;
  const kind = KINDS[document.kind];
  const others = change.changed - 1;
  return (
    <>
      <Text size="sm" component="div" className="breaks">
        {change.actor} {document.action} {kind?.noun ?? document.kind}{" "}
        {kind && document.action !== "deleted" ? (
          <TextLink to={pathOf(kind.path, document.id)} search={{ history: String(change.revision) }} size="sm">
            {document.name}
          </TextLink>
        ) : (
          document.name
        )}
        {others > 0 && ` and ${others.toLocaleString("en")} more`}
      </Text>
      <Text size="xs" c="dimmed" component="div" className="breaks">
        <Time at={change.at} />
        {" · "}
        {mayAudit ? (
          <TextLink to="/audit" search={{ revision: String(change.revision) }} size="sm">
            revision {change.revision}
          </TextLink>
        ) : (
          `revision ${change.revision}`
        )}
        {change.ticket && (
          <>
            {" · "}
            <Ticket ticket={change.ticket} />
          </>
        )}
        {change.comment && ` · ${change.comment}`}
      </Text>
    </>
  );
}
