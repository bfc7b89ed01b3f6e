/** The list of notifications, and whether the browser also shows them. */

import { ActionIcon, Button, Group, Indicator, Popover, Stack, Switch, Text } from "@mantine/core";
import { useState, useSyncExternalStore } from "react";
import { Icon } from "../../../admin-ui/src/ui/icons";
import { usePreferences } from "../preferences/use-preferences";
import { notices } from "./notifications";

export function NotificationsButton() {
  const list = useSyncExternalStore(notices.subscribe, notices.current);
  const [isOpen, setOpen] = useState(false);
  const { preferences, change } = usePreferences();
  const [problem, setProblem] = useState("");
  const unread = list.filter((notice) => !notice.isRead).length;

  const toggle = (open: boolean) => {
    setOpen(open);
    if (!open) notices.readAll();
  };
  const setNotifies = async (wanted: boolean) => {
    if (wanted && "Notification" in window && (await Notification.requestPermission()) !== "granted") {
      setProblem("The browser blocks notifications from this site. Allow them in the browser settings.");
      return;
    }
    setProblem("");
    change({ notifies: wanted });
  };
  return (
    <Popover opened={isOpen} onChange={toggle} position="bottom-end" width={340} trapFocus withinPortal>
      <Indicator disabled={unread === 0} label={unread} size={16} color="red">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={unread > 0 ? `Notifications, ${unread} unread` : "Notifications"}
            onClick={() => toggle(!isOpen)}
          >
            <Icon name="bell" />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label="Notifications">
        <Stack gap="sm">
          {list.length === 0 && (
            <Text size="sm" c="dimmed">
              There are no notifications.
            </Text>
          )}
          <ul className="plain-list notices" aria-label="Notifications">
            {list.map((notice) => (
              <li key={notice.id}>
                <Group justify="space-between" wrap="nowrap">
                  <Text size="sm" fw={600}>
                    {notice.title}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {notice.time.toLocaleTimeString()}
                  </Text>
                </Group>
                <Text size="sm" className="breaks">
                  {notice.text}
                </Text>
                {notice.choices && (
                  <Group gap="xs">
                    {notice.choices.map(({ label, run }) => (
                      <Button
                        key={label}
                        size="compact-xs"
                        variant="default"
                        aria-label={`${label}: ${notice.title}`}
                        onClick={run}
                      >
                        {label}
                      </Button>
                    ))}
                  </Group>
                )}
              </li>
            ))}
          </ul>
          <Switch
            size="sm"
            label="Show in the browser while this page is hidden"
            checked={preferences.notifies ?? false}
            onChange={(event) => void setNotifies(event.currentTarget.checked)}
            error={problem}
          />
          {list.length > 0 && (
            <Button size="xs" variant="default" onClick={() => notices.clear()}>
              Clear all
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
