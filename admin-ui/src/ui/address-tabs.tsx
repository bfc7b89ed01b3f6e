/** Tabs whose selection is part of the address. */

import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

export interface Tab {
  readonly name: string;
  readonly label: string;
  readonly content: () => ReactNode;
}

export function AddressTabs({ tabs }: { tabs: readonly Tab[] }) {
  const search = useSearch({ strict: false }) as Record<string, string>;
  const navigate = useNavigate();
  const first = tabs[0]?.name ?? "";
  const current = tabs.some((tab) => tab.name === search.tab) ? (search.tab ?? first) : first;
  const choose = (name: string | null) =>
    void navigate({ to: ".", replace: true, search: name && name !== first ? { tab: name } : {} });
  return (
    <Tabs value={current} onChange={choose} keepMounted={false}>
      <Tabs.List mb="md">
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.name} value={tab.name}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.name} value={tab.name}>
          {tab.content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
