/** The merged configuration by value, with the file of each value and overridden values. */

import { Alert, Autocomplete, Button, Group, List, Paper, Stack, Table, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useClient } from "../../api/context";
import type { ExplainedValue, Explanation, LayerView } from "../../api/generated/client";
import { ValueText } from "../../ui/document/value-text";
import { DottedPath } from "../../ui/dotted-path";
import { Label } from "../../ui/labels";
import { pathOf, TextLink } from "../../ui/link";
import { useAddressWord } from "../../ui/list/address-word";
import { ErrorState } from "../../ui/states/error-state";
import { LoadingState } from "../../ui/states/loading-state";
import { placeText, SCOPES } from "./scope";

const PART = 200;
const FILES = ["system.json", "channels.json", "themes.json", "logger.json", "stickywindows.json", "env.json"];

interface ExplainedConfigProps {
  user?: string;
  group?: string;
}

export function ExplainedConfig({ user, group }: ExplainedConfigProps) {
  const client = useClient();
  const version = useAddressWord("version");
  const file = useAddressWord("file", "system.json");
  const path = useAddressWord("path");
  const asked = { version: version.settled, file: file.settled, path: path.settled };
  const found = useInfiniteQuery({
    queryKey: ["configs", "explained", user ?? "", group ?? "", asked],
    queryFn: async ({ signal, pageParam }) =>
      (await client.call("explainConfig", { query: { user, group, ...asked, limit: PART, offset: pageParam }, signal }))
        .data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PART < last.total ? pages.length * PART : undefined),
    placeholderData: keepPreviousData,
  });
  const first = found.data?.pages[0];
  return (
    <Stack>
      <Group align="flex-end">
        <TextInput
          label="Platform version"
          placeholder="any"
          value={version.text}
          onChange={(event) => version.set(event.currentTarget.value)}
          w={150}
        />
        <Autocomplete label="File" placeholder="all" data={FILES} value={file.text} onChange={file.set} w={180} />
        <TextInput
          label="Setting or section"
          placeholder="for example notifications"
          value={path.text}
          onChange={(event) => path.set(event.currentTarget.value)}
          w={260}
        />
      </Group>
      {found.error && !first ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : !first ? (
        <LoadingState />
      ) : (
        <>
          <Layers explanation={first} />
          <Values values={found.data?.pages.flatMap((part) => part.items) ?? []} total={first.total} />
          {found.hasNextPage && (
            <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
              Show more
            </Button>
          )}
        </>
      )}
    </Stack>
  );
}

function Layers({ explanation }: { explanation: Explanation }) {
  const files = [...new Set(explanation.layers.map((layer) => layer.file))];
  return (
    <>
      {explanation.problems.length > 0 && (
        <Alert color="orange" variant="light" title="Validation problems in these files">
          <List size="sm">
            {explanation.problems.slice(0, 10).map((problem) => (
              <List.Item key={`${problem.file}${problem.path}${problem.message}`} className="breaks">
                {problem.file} {problem.path}: {problem.message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Paper withBorder p="sm">
        {files.length === 0 && <Text c="dimmed">No configuration file applies.</Text>}
        {files.map((file) => (
          <Text key={file} size="sm" component="div">
            <strong>{file}</strong> is merged from{" "}
            {explanation.layers
              .filter((layer) => layer.file === file)
              .map((layer, index) => (
                <span key={layer.id}>
                  {index > 0 && ", then "}
                  <Origin layer={layer} />
                </span>
              ))}
          </Text>
        ))}
        {explanation.layers.map(
          (layer) =>
            layer.rollout && (
              <Text key={layer.id} size="sm">
                <Origin layer={layer} />: {layer.rollout.text}
              </Text>
            ),
        )}
      </Paper>
    </>
  );
}

function Values({ values, total }: { values: readonly ExplainedValue[]; total: number }) {
  if (total === 0) return <Text c="dimmed">No setting has a value.</Text>;
  const isMixed = values.some((value) => value.file !== values[0]?.file);
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing={8} layout="fixed" aria-label="Values and their origins">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="32%">Setting</Table.Th>
              <Table.Th w="27%">Effective value</Table.Th>
              <Table.Th w="18%">Origin</Table.Th>
              <Table.Th>Overrides</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {values.map((value) => (
              <tr key={`${value.file} ${value.path}`}>
                <td className="breaks" title={value.setting?.text ?? ""}>
                  {isMixed && (
                    <Text size="xs" c="dimmed">
                      {value.file}
                    </Text>
                  )}
                  <Text size="sm">
                    <DottedPath path={value.path || "entire file"} />
                  </Text>
                </td>
                <td>
                  <ValueText value={value.status === "default" ? value.inForce : value.value} />{" "}
                  {value.status !== "set" && (
                    <Label color={value.status === "ignored" ? "orange" : "gray"}>{value.status}</Label>
                  )}
                </td>
                <td>{value.winner ? <Origin layer={value.winner} /> : <Label>default</Label>}</td>
                <td>
                  {value.losers.map((loser) => (
                    <div key={loser.id}>
                      <ValueText value={loser.value} /> <Origin layer={loser} />
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function Origin({ layer }: { layer: LayerView }) {
  const scope = SCOPES.find((each) => each === layer.scope) ?? "base";
  return (
    <TextLink to={pathOf("configs", layer.id)} size="sm">
      {placeText({ scope, target: layer.target })}
    </TextLink>
  );
}
