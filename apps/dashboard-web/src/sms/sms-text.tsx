import { Text } from '@mantine/core';
import { Pending } from '../parts/page-states';
import { Caption } from '../parts/typography';
import { useOperation } from '../session/session-context';
import { segmentsOf } from './segments';
import { useSmsWords } from './words';

/**
 * The text of an SMS with the parts that were read from it; each part is also named, so that nothing depends on colour.
 */
export function SmsText({ id }: { readonly id: string }) {
  const w = useSmsWords();
  const found = useOperation(['sms-text', id], 'getSmsEventText', { params: { id } });
  if (found.data === undefined) return <Pending query={found} />;
  const { message, hidden, parts } = found.data;
  if (message === null) return <Text c="dimmed">{w.hidden[hidden ?? 'deleted']}</Text>;
  return (
    <>
      <p className="sms-text" lang="en">
        {segmentsOf(message, parts).map(({ text, name }, index) =>
          name === undefined ? (
            text
          ) : (
            <mark key={index} data-part={name} data-label={w.parts[name]}>
              {text}
            </mark>
          ),
        )}
      </p>
      {parts.length === 0 ? null : <Caption>{w.textHint}</Caption>}
    </>
  );
}
