/** Confirms the identity of the signed-in user again: the manager requires it before some changes. */

/** Asks the user; returns whether the identity is confirmed, and false if the user has cancelled. */
export type Asking = () => Promise<boolean>;

/** The proof stays in the memory of the page: a thief of the session cookie does not have it. */
export class Confirmation {
  private text: string | null = null;
  private end: ReturnType<typeof setTimeout> | undefined;
  private asking: Asking | null = null;
  private asked: Promise<boolean> | null = null;

  /** The value of the header `Confirmation`; null if the identity is not confirmed. */
  readonly current = (): string | null => this.text;

  /** Use a dialog that asks the user, until it is removed from the page. */
  readonly askWith = (asking: Asking): (() => void) => {
    this.asking = asking;
    return () => {
      if (this.asking === asking) this.asking = null;
    };
  };

  /** Ask the user, once for all requests that wait for it. */
  readonly request = (): Promise<boolean> => {
    this.asked ??= (this.asking?.() ?? Promise.resolve(false)).finally(() => {
      this.asked = null;
    });
    return this.asked;
  };

  accept(text: string, seconds: number): void {
    this.forget();
    this.text = text;
    this.end = setTimeout(() => this.forget(), seconds * 1000);
  }

  forget(): void {
    clearTimeout(this.end);
    this.text = null;
  }
}
