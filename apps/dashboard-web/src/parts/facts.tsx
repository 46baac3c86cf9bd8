import { ActionIcon, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useEffect, type ReactNode } from 'react';
import { localTime } from '../text/format';
import { useWords } from '../text/language';

export interface Fact {
  readonly name: string;
  /** A fact whose value is null is left out. */
  readonly value: ReactNode;
  /** Marked in the text, because it is what does not agree. */
  readonly differs?: boolean;
}

/** Names and values side by side. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, value, differs = false }) =>
        value === null ? null : <FactRow key={name} name={name} value={value} differs={differs} />,
      )}
    </dl>
  );
}

function FactRow({ name, value, differs }: Required<Fact>) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{differs ? <span className="differs">{value}</span> : value}</dd>
    </>
  );
}

interface IdentifierProps {
  readonly text: string;
  readonly name: string;
  /** Called when the text is in the clipboard. */
  readonly onCopied?: () => void;
}

/** An id or number that people copy. */
export function Identifier({ text, name, onCopied }: IdentifierProps) {
  const { t } = useWords();
  const clipboard = useClipboard({ timeout: 2_000 });
  useEffect(() => {
    if (clipboard.copied) onCopied?.();
  }, [clipboard.copied, onCopied]);
  return (
    <>
      <span className="identifier">{text}</span>{' '}
      <ActionIcon
        variant="subtle"
        size="sm"
        aria-label={clipboard.copied ? t.fields.copied : t.fields.copy(name)}
        onClick={() => clipboard.copy(text)}
      >
        {clipboard.copied ? '✓' : <CopyIcon />}
      </ActionIcon>
    </>
  );
}

function CopyIcon() {
  return (
    <svg
      width="14"
      height="14"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
    </svg>
  );
}

/** A time of Dhaka; the local time of this browser is in its title if it differs. */
export function Time({ at }: { readonly at: string }) {
  const { t, language, dateTime } = useWords();
  const local = localTime(at, language);
  return (
    <time dateTime={at} {...(local === undefined ? {} : { title: t.fields.local(local) })}>
      {dateTime(at)}
    </time>
  );
}

/** The time, if there is one. */
export function timeOrNull(at: string | null): ReactNode {
  return at === null ? null : <Time at={at} />;
}

export function None() {
  const { t } = useWords();
  return (
    <Text span c="dimmed" size="sm">
      {t.fields.none}
    </Text>
  );
}
