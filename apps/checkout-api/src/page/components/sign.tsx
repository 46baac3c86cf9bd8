export type Tone = 'good' | 'bad' | 'calm';

interface SignModel {
  readonly tone: Tone;
  /** Replaces the symbol of the tone: a cross for cancelled payments, a spinner for waiting. */
  readonly kind?: 'cancelled' | 'busy' | undefined;
}

export function Sign({ tone, kind }: SignModel) {
  if (kind === 'busy') return <Ring size={56} />;
  return (
    <svg class="sign" viewBox="0 0 48 48" width="56" height="56" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      {tone === 'good' && <path d="M14 25l7 7 13-15" />}
      {tone === 'bad' && <path d="M24 13v14M24 34v.5" />}
      {kind === 'cancelled' && <path d="M17 17l14 14M31 17l-14 14" />}
      {tone === 'calm' && kind === undefined && <path d="M24 12v12l8 5" />}
    </svg>
  );
}

export function Ring({ size }: { readonly size: number }) {
  return (
    <svg class="ring" viewBox="0 0 48 48" width={size} height={size} aria-hidden="true">
      <circle cx="24" cy="24" r="20" />
      <path d="M24 4a20 20 0 0 1 20 20" />
    </svg>
  );
}
