/** A part of the dashboard. Its title can be a link to a list. */

import { Paper, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { TextLink } from "../../ui/link";

interface DashboardCardProps {
  title: string;
  to?: string | undefined;
  search?: Record<string, string>;
  children: ReactNode;
}

export function DashboardCard({ title, to, search, children }: DashboardCardProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {to === undefined ? (
          title
        ) : (
          <TextLink to={to} {...(search ? { search } : {})}>
            {title}
          </TextLink>
        )}
      </Title>
      {children}
    </Paper>
  );
}
