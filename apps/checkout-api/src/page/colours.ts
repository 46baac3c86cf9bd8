const WHITE = '#ffffff';
const BLACK = '#000000';
/** Minimum contrast of text in WCAG 2.2 AA (1.4.3). */
const READABLE = 4.5;
const HEX = /^#[0-9a-f]{6}$/;
const OURS = '#0b5d4e';

export interface BrandColours {
  readonly brand: string;
  /** Black or white. One of them always has a contrast of 4.5:1 with the brand colour. */
  readonly onBrand: string;
  /** The brand colour, darkened until it is readable on white. */
  readonly accent: string;
}

export function brandColours(colour: string | null): BrandColours {
  const brand = colour !== null && HEX.test(colour) ? colour : OURS;
  const onBrand = contrast(brand, WHITE) >= READABLE ? WHITE : BLACK;
  let accent = brand;
  while (contrast(accent, WHITE) < READABLE) accent = darker(accent);
  return { brand, onBrand, accent };
}

/** Contrast ratio of WCAG, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function darker(colour: string): string {
  return `#${channels(colour)
    .map((channel) =>
      Math.floor(channel * 0.94)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
