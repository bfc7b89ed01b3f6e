/** The icons: strokes in a box of 24 by 24. */

const PATHS = {
  apps: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
  directories: "M5 4h14v16H5zM9 8h6M9 12h6M3 8h4M3 16h4",
  tokens: "M8 16a4 4 0 1 1 3.5-6H21v4h-3v3h-3v-3h-3.5A4 4 0 0 1 8 16zM8 12h.01",
  layouts: "M3 4h18v16H3zM3 9h18M10 9v11",
  preferences: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  configs: "M6 3h8l4 4v14H6zM14 3v4h4M9 13h6M9 17h4",
  users: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.6-6 8-6s8 2 8 6",
  groups:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-3.5 3-5 7-5s7 1.5 7 5M16 4.5a3.5 3.5 0 0 1 0 6.5M18.5 15.5c2.2.6 3.5 2 3.5 4.5",
  sessions: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 3",
  machines: "M3 4h18v12H3zM8 20h8M12 16v4",
  commands: "M5 7l5 5-5 5M12 18h7",
  crashes: "M12 3l10 18H2zM12 10v5M12 18v.5",
  feedback: "M4 4h16v12H9l-5 4z",
  audit: "M5 3h14v18H5zM9 8h6M9 12h6M9 16h3",
  server: "M4 4h16v7H4zM4 13h16v7H4zM8 7.5h.5M8 16.5h.5",
  dashboard: "M3 13h8V3H3zM13 21h8V11h-8zM13 3v5h8V3zM3 21h8v-5H3z",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4 7 7 0 0 0 20 14.5z",
  logout: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  plus: "M12 5v14M5 12h14",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 13l4 4L19 7",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  upload: "M12 16V5M7 9l5-5 5 5M4 20h16",
  trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  rollouts: "M4 19h4v-4H4zM10 19h4V10h-4zM16 19h4V5h-4z",
  send: "M3 11L21 3l-7 18-3-7z",
  history: "M4 12a8 8 0 1 1 2.5 5.8M4 18v-4h4M12 8v4l3 2",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8v.5",
  help: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5v.5",
  menu: "M4 6h16M4 12h16M4 18h16",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  star: "M12 3l2.7 5.6 6.1.9-4.4 4.3 1 6.1-5.4-2.9-5.4 2.9 1-6.1L3.2 9.5l6.1-.9z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
