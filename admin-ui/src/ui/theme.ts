/** Colours and sizes; every text has a contrast of at least 4.5 to 1. */

import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

const blue: MantineColorsTuple = [
  "#eaf2ff",
  "#d3e2fb",
  "#a5c3f2",
  "#74a2ea",
  "#4c86e3",
  "#3474df",
  "#1f5fbf",
  "#1a56b0",
  "#144c9e",
  "#08408b",
];

const CLOSE = { "aria-label": "Close" };

export const theme = createTheme({
  primaryColor: "rostrum",
  primaryShade: 6,
  colors: { rostrum: blue },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { closeButtonProps: CLOSE } },
    Drawer: { defaultProps: { closeButtonProps: CLOSE } },
    // Inside a dialog, it is not a banner of the page.
    ModalHeader: { defaultProps: { role: "none" } },
    DrawerHeader: { defaultProps: { role: "none" } },
    Notification: { defaultProps: { closeButtonProps: CLOSE } },
  },
});

/** The background of destructive buttons. */
const DANGER = { "--mantine-color-red-filled": "#c2222d", "--mantine-color-red-filled-hover": "#a81c26" };

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...DANGER,
    "--mantine-color-dimmed": "#56606b",
    "--mantine-color-placeholder": "#6b747d",
    "--mantine-color-error": "#c2222d",
    "--rostrum-ground": "#f6f8fb",
    "--mantine-color-red-light-color": "#b3202b",
    "--mantine-color-green-light-color": "#1d6f2c",
    "--mantine-color-orange-light-color": "#a04400",
    "--mantine-color-yellow-light-color": "#7a5200",
    "--mantine-color-teal-light-color": "#0a6b50",
    "--mantine-color-gray-light-color": "#495057",
    "--mantine-color-rostrum-light-color": "#17509f",
    "--mantine-color-rostrum-light-hover": "#dbe8fc",
    "--mantine-color-grape-light-color": "#862e9c",
  },
  dark: {
    ...DANGER,
    "--mantine-color-dimmed": "#a9b1ba",
    "--mantine-color-placeholder": "#9aa3ad",
    "--mantine-color-error": "#ff8a8a",
    "--rostrum-ground": "#17191d",
    "--mantine-color-anchor": "#7eb0ff",
    "--mantine-color-red-light-color": "#ffa8a8",
    "--mantine-color-green-light-color": "#8ce99a",
    "--mantine-color-orange-light-color": "#ffc078",
    "--mantine-color-yellow-light-color": "#ffe066",
    "--mantine-color-teal-light-color": "#63e6be",
    "--mantine-color-gray-light": "#3a3f46",
    "--mantine-color-gray-light-color": "#dee2e6",
    "--mantine-color-rostrum-light-color": "#a5c8ff",
    "--mantine-color-rostrum-light-hover": "#1c3354",
    "--mantine-color-grape-light-color": "#e599f7",
  },
});
