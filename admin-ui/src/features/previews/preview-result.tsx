/** The results of a change: the number of users for each, and the differences for them. */

import { Alert, List, Paper, Stack, Text, Title } from "@mantine/core";
import type { ChangedValue, PreviewedChange, PreviewView } from "../../api/generated/client";
import { ChangesTable } from "../../ui/document/changes-table";
import type { PreviewedKind } from "../documents/kinds";
import { effectSentence, failing, people } from "./effect-sentence";
import { OutcomeUsers } from "./outcome-users";
import type { Proposals } from "./use-preview";

interface PreviewResultProps {
  kind: PreviewedKind;
  preview: PreviewView;
  proposals: Proposals;
}

export function PreviewResult(props: PreviewResultProps) {
  return (
    <Stack>
      <Alert color={failing(props.preview) > 0 ? "red" : "rostrum"} variant="light">
        {effectSentence(props.preview)}
      </Alert>
      <Outcomes {...props} />
    </Stack>
  );
}

/** The results without the summary. */
export function Outcomes({ kind, preview, proposals }: PreviewResultProps) {
  const unlisted = preview.affected - preview.items.reduce((sum, item) => sum + item.count, 0);
  return (
    <>
      {preview.problems.length > 0 && (
        <Alert color="red" variant="light" title="Validation problems">
          <List size="sm">
            {preview.problems.slice(0, 10).map((problem) => (
              <List.Item key={`${problem.file} ${problem.path} ${problem.message}`} className="breaks">
                {problem.file} {problem.path}: {problem.message} ({people(problem.count)})
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {preview.items.map((item) => (
        <Outcome key={item.id} kind={kind} item={item} proposals={proposals} />
      ))}
      {unlisted > 0 && <Text size="sm">{people(unlisted)} are affected in other ways.</Text>}
    </>
  );
}

function Outcome({ kind, item, proposals }: Omit<PreviewResultProps, "preview"> & { item: PreviewedChange }) {
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h5" mb="xs">
        {people(item.count)}
      </Title>
      <OutcomeUsers kind={kind} item={item} proposals={proposals} />
      <ChangedItems item={item} />
    </Paper>
  );
}

/** What changes for the users of one outcome. */
export function ChangedItems({ item }: { item: PreviewedChange }) {
  return (
    <>
      <List size="sm">
        {sentences(item).map((sentence) => (
          <List.Item key={sentence} className="breaks">
            {sentence}
          </List.Item>
        ))}
      </List>
      {item.configs && item.configs.length > 0 && (
        <ChangesTable changes={item.configs.map(valueChange)} before="Before" after="After" same="" />
      )}
      {item.moreValues > 0 && <Text size="sm">and {item.moreValues} more values</Text>}
    </>
  );
}

/** Added, removed and changed items, one sentence each. */
function sentences(item: PreviewedChange): string[] {
  const layoutNames = (layouts: readonly { name: string }[]) => layouts.map((layout) => layout.name);
  const parts: [string, readonly string[]][] = [
    ["Joins the group", item.groups?.gained ?? []],
    ["Leaves the group", item.groups?.lost ?? []],
    ["Receives the app", item.apps?.gained ?? []],
    ["Loses the app", item.apps?.lost ?? []],
    ["Receives a changed definition of the app", item.apps?.changed ?? []],
    ["Receives the layout", layoutNames(item.layouts?.gained ?? [])],
    ["Loses the layout", layoutNames(item.layouts?.lost ?? [])],
    ["Receives a changed version of the layout", layoutNames(item.layouts?.changed ?? [])],
  ];
  const said = parts
    .filter(([, names]) => names.length > 0)
    .map(([words, names]) => `${words}${names.length === 1 ? "" : "s"} ${names.join(", ")}.`);
  const start = item.defaultLayout;
  return [
    ...(item.account ? [`The account is ${item.account}.`] : []),
    ...said,
    ...(start ? [`Starts with ${start.after?.name ?? "no layout"} instead of ${start.before?.name ?? "none"}.`] : []),
  ];
}

/** One value of the configuration as a difference. */
function valueChange(value: ChangedValue) {
  const versions = value.versions.includes("*") ? "" : ` (version ${value.versions.join(", ")})`;
  const shown = (side: unknown) => (value.large ? "too large to display" : side);
  return {
    path: [`${value.file} ${value.path}${versions}`],
    ...(value.change === "added" ? {} : { before: shown(value.before) }),
    ...(value.change === "removed" ? {} : { after: shown(value.after) }),
  };
}
