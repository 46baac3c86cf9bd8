/** The smallest UUID v7 of a moment: ids are in the order of arrival, so that a time is a place among them. */
export function firstIdAt(time: Date): string {
  const millis = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7000-8000-000000000000`;
}
