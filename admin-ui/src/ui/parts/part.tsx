/** Parts of the UI that are loaded on demand, and can be requested again if loading fails. */

import { Component, type ComponentType, type ReactNode, use } from "react";

/** The file of a part was not loaded: the manager does not respond, or has files of a newer version. */
export class LoadFailed extends Error {
  constructor(
    cause: unknown,
    /** Requests the file again. */
    readonly retry: () => Promise<void>,
  ) {
    super("This part of the page could not be loaded.", { cause });
    this.name = "LoadFailed";
  }
}

export type Part<Props> = ((props: Props) => ReactNode) & { preload: () => Promise<void> };

/**
 * Like `lazy`, but a failure is not final. `lazyRouteComponent` of the router is no alternative: it reloads the page
 * immediately, which ends in the browser's error page while the manager does not respond.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let loading: Promise<void> | null = null;
  let Loaded: ComponentType<Props> | null = null;
  let failure: unknown = null;

  const request = (): Promise<void> => {
    loading ??= load().then(
      (loaded) => {
        Loaded = loaded;
      },
      (error: unknown) => {
        failure = error;
      },
    );
    return loading;
  };
  const retry = async (): Promise<void> => {
    loading = failure = null;
    await request();
    if (!Loaded) throw failure;
  };

  const Shown = (props: Props) => {
    if (!Loaded && failure !== null) throw new LoadFailed(failure, retry);
    if (!Loaded) use(request());
    return Loaded && <Loaded {...props} />;
  };
  // After a failed preload, the next one requests the file again.
  Shown.preload = () => (failure === null || Loaded ? request() : retry().catch(() => undefined));
  return Shown;
}

interface PartBoundaryProps {
  children: ReactNode;
  failed: (error: LoadFailed, onLoaded: () => void) => ReactNode;
}

/** Shows a message in place of a part that was not loaded, so that the rest of the page stays. */
export class PartBoundary extends Component<PartBoundaryProps, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof LoadFailed) return this.props.failed(error, () => this.setState({ error: null }));
    throw error;
  }
}
