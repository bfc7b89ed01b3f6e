/** Lets the user choose the app that handles an intent: a running one, or one to start. */

import { Group, Modal, Stack, Text } from "@mantine/core";
import { type KeyboardEvent, useSyncExternalStore } from "react";
import type { AppIntent } from "../agent";
import type { Workbench } from "../workspace/workbench";
import type { Interop, Resolution } from "./interop";

interface Option {
  readonly intent: AppIntent["intent"];
  readonly appId: string;
  readonly instanceId?: string;
  readonly title: string;
  readonly detail: string;
  readonly icon: string | null;
}

export function Resolver({ interop, workbench }: { interop: Interop; workbench: Workbench }) {
  const { resolutions } = useSyncExternalStore(interop.subscribe, interop.current);
  const [first] = resolutions;
  if (!first) return null;
  return <ResolverDialog key={first.id} resolution={first} interop={interop} workbench={workbench} />;
}

interface DialogProps {
  resolution: Resolution;
  interop: Interop;
  workbench: Workbench;
}

function ResolverDialog({ resolution, interop, workbench }: DialogProps) {
  const { appIntents, settle } = resolution;
  const options = optionsOf(appIntents, interop, workbench);
  const source = workbench.appOf(resolution.source)?.title;
  const [only] = appIntents.length === 1 ? appIntents : [];
  const title = only ? `Choose an app for "${nameOf(only.intent)}"` : "Choose an action and an app";
  const choose = ({ intent, appId, instanceId }: Option) => {
    settle({ intent: intent.name, appId, ...(instanceId ? { instanceId } : {}) });
    if (instanceId) workbench.show(instanceId);
  };
  const sections = appIntents.flatMap(({ intent }) => {
    const mine = options.filter((option) => option.intent.name === intent.name);
    const prefix = only ? "" : `${nameOf(intent)}: `;
    return [
      { label: `${prefix}${only ? "Running" : "running"}`, list: mine.filter((option) => option.instanceId) },
      { label: `${prefix}${only ? "Start" : "start"}`, list: mine.filter((option) => !option.instanceId) },
    ].filter(({ list }) => list.length > 0);
  });
  return (
    <Modal opened onClose={() => settle()} title={title} size="md" yOffset="12vh" returnFocus>
      <Stack gap="xs" onKeyDown={moveFocus}>
        {source && (
          <Text size="sm" c="dimmed">
            Requested by "{source}".
          </Text>
        )}
        {sections.map(({ label, list }, section) => (
          <section key={label} aria-label={label}>
            <Text component="h3" size="xs" fw={600} c="dimmed" className="resolver-heading">
              {label}
            </Text>
            <ul className="plain-list">
              {list.map((option, index) => (
                <li key={`${option.appId} ${option.instanceId ?? ""}`}>
                  <button
                    type="button"
                    className="resolver-option"
                    onClick={() => choose(option)}
                    {...(section === 0 && index === 0 ? { "data-autofocus": true } : {})}
                  >
                    <Group gap="sm" wrap="nowrap">
                      {option.icon ? (
                        <img src={option.icon} alt="" width={24} height={24} />
                      ) : (
                        <span className="app-icon-none" />
                      )}
                      <span className="launcher-texts">
                        <Text component="span" display="block" truncate>
                          {option.title}
                        </Text>
                        <Text component="span" display="block" size="xs" c="dimmed" truncate>
                          {option.detail}
                        </Text>
                      </span>
                    </Group>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <Text size="xs" c="dimmed">
          Use the arrow keys and Enter to choose. Escape cancels.
        </Text>
      </Stack>
    </Modal>
  );
}

function optionsOf(appIntents: readonly AppIntent[], interop: Interop, workbench: Workbench): Option[] {
  return appIntents.flatMap(({ intent, apps }) =>
    apps.map(({ appId, instanceId }): Option => {
      const app = workbench.find(appId);
      return {
        intent,
        appId,
        ...(instanceId ? { instanceId } : {}),
        title: app?.title ?? appId,
        detail: instanceId ? whereIs(instanceId, interop, workbench) : app?.description || appId,
        icon: app?.icon ?? null,
      };
    }),
  );
}

function whereIs(instanceId: string, interop: Interop, workbench: Workbench): string {
  const place = workbench.whereIs(instanceId);
  if (place === null) return "Another browser or desktop";
  const channel = interop.channelOf(instanceId);
  return channel ? `${place}, channel ${channel.name}` : place;
}

function nameOf(intent: AppIntent["intent"]): string {
  return intent.displayName || intent.name;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const options = [...event.currentTarget.querySelectorAll<HTMLElement>(".resolver-option")];
  const at = options.indexOf(document.activeElement as HTMLElement);
  options[(at + step + options.length) % options.length]?.focus();
  event.preventDefault();
}
