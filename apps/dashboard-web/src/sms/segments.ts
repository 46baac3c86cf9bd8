import type { TextPart, TextPartName } from '@pay/contracts';

export interface Segment {
  readonly text: string;
  /** Absent for the text between the parts. */
  readonly name?: TextPartName;
}

/** A text cut at its parts, in order. Parts that do not fit into it are left out. */
export function segmentsOf(message: string, parts: readonly TextPart[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const { name, from, to } of parts) {
    if (from < at || to > message.length || to <= from) continue;
    if (from > at) segments.push({ text: message.slice(at, from) });
    segments.push({ text: message.slice(from, to), name });
    at = to;
  }
  if (at < message.length) segments.push({ text: message.slice(at) });
  return segments;
}
