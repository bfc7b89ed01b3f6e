/** Errors of requests, with messages for users. */

import type { ErrorDetail, ErrorView } from "./generated/client";

/** The manager rejected the request. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = "Refused";
  }
}

/** The manager has stored the change as a proposal: a second administrator must approve it. */
export class Proposed extends Error {
  constructor(readonly proposal: string) {
    super("Not changed yet: a second administrator must approve the change.");
    this.name = "Proposed";
  }
}

/** The user has not confirmed the identity, which the manager requires for the change. */
export class NotConfirmed extends Error {
  constructor() {
    super("Nothing was changed, because your password was not confirmed.");
    this.name = "NotConfirmed";
  }
}

/** The manager did not respond. */
export class Unreachable extends Error {
  constructor() {
    super("The manager does not respond. Your changes are still on this page. Try again in a moment.");
    this.name = "Unreachable";
  }
}

/** Whether the request is refused until the user has confirmed the identity. */
export async function isConfirmationRequired(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  try {
    return ((await answer.clone().json()) as ErrorView).error.reason === "confirmation_required";
  } catch {
    return false;
  }
}

export async function refusalOf(answer: Response): Promise<Refused> {
  const retryAfter = Number(answer.headers.get("Retry-After")) || null;
  try {
    const { error } = (await answer.json()) as ErrorView;
    return new Refused(answer.status, sentence(error.message), error.details ?? [], retryAfter);
  } catch {
    return new Refused(answer.status, `The manager responded with status ${answer.status}.`, [], retryAfter);
  }
}

export const isProposed = (error: unknown): error is Proposed => error instanceof Proposed;
export const isStale = (error: unknown): boolean => error instanceof Refused && error.status === 412;
export const isMissing = (error: unknown): boolean => error instanceof Refused && error.status === 404;
export const isForbidden = (error: unknown): boolean => error instanceof Refused && error.status === 403;
export const isUnauthorized = (error: unknown): boolean => error instanceof Refused && error.status === 401;

/** Return whether the requested object exists. */
export async function existing(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Whether other input could be accepted: not a problem of connection, sign-in or permission. */
export const isCorrectable = (error: unknown): boolean =>
  error instanceof Refused && !isForbidden(error) && !isUnauthorized(error);

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function detailsOf(error: unknown): readonly ErrorDetail[] {
  return error instanceof Refused ? error.details : [];
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
