/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly REACT_APP_AUTH?: string;
  readonly REACT_APP_SERVER_BASE?: string;
  readonly REACT_APP_BASE?: string;
}

interface Window {
  /** Added by the desktop's sign-in window. */
  authDone?: (result: { user: string; headers: Record<string, string> }) => void;
}
