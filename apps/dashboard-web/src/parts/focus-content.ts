export const CONTENT = 'content';

/** Moves the focus to the page below the header, where the next press of Tab continues. */
export function focusContent(): void {
  document.getElementById(CONTENT)?.focus({ preventScroll: true });
}
