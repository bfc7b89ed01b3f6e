/** A guide inside the admin UI: it matches this version, and needs no other server. */

import { Anchor, Code, List, Stack, Table, Text, Title, type TitleOrder } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo } from "react";
import { NotFound } from "../../shell/not-found";
import { pathOf } from "../../ui/link";
import { PageBody, PageHead } from "../../ui/page";
import { QueryState } from "../../ui/states/query-state";
import { GUIDES, placeOf } from "./guides";
import { type Block, blocksOf, type Inline } from "./markdown";

export function HelpPage() {
  const { guide = "" } = useParams({ strict: false }) as { guide?: string };
  const load = GUIDES.get(guide);
  return load ? <Guide key={guide} name={guide} load={load} /> : <NotFound />;
}

function Guide({ name, load }: { name: string; load: () => Promise<string> }) {
  const found = useQuery({ queryKey: ["help", name], queryFn: load, staleTime: Number.POSITIVE_INFINITY });
  return <QueryState query={found}>{(text) => <Pages name={name} text={text} />}</QueryState>;
}

function Pages({ name, text }: { name: string; text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  const section = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (section) document.getElementById(section)?.scrollIntoView();
  }, [section]);
  const [first, ...rest] = blocks;
  const title = first?.kind === "heading" ? first.text.map((each) => each.text).join("") : name;
  return (
    <PageBody>
      <PageHead title={title} />
      <Stack maw={860} gap="sm" component="article" className="guide breaks">
        {rest.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a guide does not change while it is read
          <BlockView key={index} block={block} guide={name} />
        ))}
      </Stack>
    </PageBody>
  );
}

function BlockView({ block, guide }: { block: Block; guide: string }) {
  switch (block.kind) {
    case "heading":
      return (
        <Title
          order={Math.min(block.level, 4) as TitleOrder}
          size={block.level === 2 ? "h3" : "h4"}
          id={block.id}
          mt="sm"
        >
          <Inlines of={block.text} guide={guide} />
        </Title>
      );
    case "paragraph":
      return (
        <Text component="p" m={0}>
          <Inlines of={block.text} guide={guide} />
        </Text>
      );
    case "code":
      return (
        <Code block tabIndex={0}>
          {block.text}
        </Code>
      );
    case "list":
      return (
        <List type={block.isOrdered ? "ordered" : "unordered"}>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a guide does not change while it is read
            <List.Item key={index}>
              <Inlines of={item} guide={guide} />
            </List.Item>
          ))}
        </List>
      );
    case "table":
      return (
        <Table withTableBorder withColumnBorders>
          <Table.Thead>
            <Table.Tr>{block.head.map((cell, index) => cellView(cell, index, guide, true))}</Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {block.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a guide does not change while it is read
              <Table.Tr key={index}>{row.map((cell, column) => cellView(cell, column, guide, false))}</Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      );
  }
}

function cellView(cell: readonly Inline[], key: number, guide: string, isHead: boolean): ReactNode {
  const text = <Inlines of={cell} guide={guide} />;
  return isHead ? <Table.Th key={key}>{text}</Table.Th> : <Table.Td key={key}>{text}</Table.Td>;
}

function Inlines({ of, guide }: { of: readonly Inline[]; guide: string }) {
  return of.map((each, index) => {
    const key = `${index} ${each.text}`;
    if (each.kind === "code") return <Code key={key}>{each.text}</Code>;
    if (each.kind === "strong") return <strong key={key}>{each.text}</strong>;
    if (each.kind === "em") return <em key={key}>{each.text}</em>;
    if (each.kind === "link") return <GuideLink key={key} to={each.to} text={each.text} guide={guide} />;
    return each.text;
  });
}

/** Links to files that are not part of the admin UI become plain text. */
function GuideLink({ to, text, guide }: { to: string; text: string; guide: string }) {
  const navigate = useNavigate();
  if (/^https?:/.test(to)) {
    return (
      <Anchor href={to} target="_blank" rel="noreferrer" underline="always" inherit>
        {text}
      </Anchor>
    );
  }
  const place = placeOf(to, guide);
  if (!place) return text;
  const path = pathOf("help", place.guide);
  return (
    <Anchor
      component="button"
      type="button"
      underline="always"
      inherit
      onClick={() => void navigate({ to: path, ...(place.section ? { hash: place.section } : {}) })}
    >
      {text}
    </Anchor>
  );
}
