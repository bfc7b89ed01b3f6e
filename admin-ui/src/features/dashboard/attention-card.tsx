/** The points that need attention, followed by those that do not. */

import { Group, Stack, Text } from "@mantine/core";
import type { DashboardView } from "../../api/generated/client";
import { Icon } from "../../ui/icons";
import { TextLink } from "../../ui/link";
import { pointsOf } from "./attention";
import { DashboardCard } from "./dashboard-card";
import type { Day } from "./days";

/** The same number of days as in the manager (`FAILED_DAYS`). */
const FAILED_DAYS = 7;

export function AttentionCard({ found, days }: { found: DashboardView; days: readonly Day[] }) {
  const points = pointsOf(found, days.at(-FAILED_DAYS)?.date ?? "", new Date());
  return (
    <DashboardCard title="Needs attention">
      <Stack gap={6} component="ul" className="plain-list">
        {points.map((point) => (
          <Group key={point.to + JSON.stringify(point.search)} component="li" gap="xs" wrap="nowrap" align="flex-start">
            <span className={point.count > 0 ? "attention" : "in-order"}>
              <Icon name={point.count > 0 ? "crashes" : "check"} size={16} />
            </span>
            {point.count > 0 ? (
              <TextLink to={point.to} search={point.search} size="sm">
                {point.text}
              </TextLink>
            ) : (
              <Text size="sm" c="dimmed">
                {point.text}
              </Text>
            )}
          </Group>
        ))}
      </Stack>
    </DashboardCard>
  );
}
