/** The body of a page, its title, its way back and its actions. */

import { Box, Breadcrumbs, Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { helpFor } from "./help-topics";
import { Icon } from "./icons";
import { RouterLink, TextLink } from "./link";

export function PageBody({ children, fills = false }: { children: ReactNode; fills?: boolean }) {
  return (
    <Stack className={fills ? "page page-fills" : "page"} gap="md" p={{ base: "sm", sm: "lg" }}>
      {children}
    </Stack>
  );
}

interface PageHeadProps {
  title: string;
  about?: ReactNode;
  back?: { to: string; label: string };
  actions?: ReactNode;
}

export function PageHead({ title, about, back, actions }: PageHeadProps) {
  useDocumentTitle(`${title} · Rostrum`);
  const help = helpFor(useLocation({ select: (location) => location.pathname }));
  return (
    <Group justify="space-between" align="flex-start" gap="md">
      <Box miw={0} flex="1 1 300px">
        {back && (
          <Breadcrumbs mb={4}>
            <TextLink to={back.to} size="sm">
              {back.label}
            </TextLink>
            <Text size="sm" c="dimmed" truncate maw={320} lh={1.5}>
              {title}
            </Text>
          </Breadcrumbs>
        )}
        <Group gap={6} wrap="nowrap" align="center">
          <Title order={1} size="h2" className="page-title">
            {title}
          </Title>
          {help && (
            <RouterLink to={help} target="_blank" className="help-link" aria-label={`Help: ${title}`} title="Help">
              <Icon name="help" />
            </RouterLink>
          )}
        </Group>
        {about && (
          <Text c="dimmed" size="sm" component="div">
            {about}
          </Text>
        )}
      </Box>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
