/** A small preview of a layout: screens, and the windows on them. */

import { Paper, Text, Title } from "@mantine/core";
import { useMemo } from "react";
import { pictureOf } from "./geometry";

const MARGIN = 24;

export function LayoutPreview({
  definition,
  name,
  title = "Preview",
}: {
  definition: unknown;
  name: string;
  title?: string;
}) {
  const { displays, windows, frame } = useMemo(() => pictureOf(definition), [definition]);
  const size = Math.max(frame.width, frame.height * 1.6) / 48;
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {windows.length === 0 ? (
        <Text size="sm" c="dimmed">
          The layout has no window with a position.
        </Text>
      ) : (
        <svg
          role="img"
          aria-label={`${name}: ${windows.map((box) => box.label).join(", ")}`}
          className="layout-preview"
          viewBox={`${frame.left - MARGIN} ${frame.top - MARGIN} ${frame.width + 2 * MARGIN} ${frame.height + 2 * MARGIN}`}
        >
          {displays.map((box) => (
            <rect
              key={`${box.label}${box.left}`}
              className="preview-display"
              x={box.left}
              y={box.top}
              width={box.width}
              height={box.height}
              rx={12}
            />
          ))}
          {windows.map((box, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: drawn anew whenever the layout changes
            <g key={index}>
              <rect
                className="preview-window"
                x={box.left + 6}
                y={box.top + 6}
                width={Math.max(box.width - 12, 4)}
                height={Math.max(box.height - 12, 4)}
                rx={10}
              />
              <text className="preview-label" x={box.left + box.width / 2} y={box.top + box.height / 2} fontSize={size}>
                {fitting(box.label, box.width, size)}
              </text>
            </g>
          ))}
        </svg>
      )}
    </Paper>
  );
}

function fitting(label: string, width: number, size: number): string {
  const letters = Math.max(Math.floor(width / (size * 0.58)), 2);
  return label.length > letters ? `${label.slice(0, letters - 1)}…` : label;
}
