import { Anchor, Group, Text, Title } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { Link } from 'wouter';
import { ActionButton } from '../parts/action-button';
import { StatusBadge } from '../parts/status-badge';
import { useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';
import { OPERATION_OF } from './possible-actions';

interface IntentsProps {
  readonly environment: Environment;
  readonly title: string;
  readonly ids: readonly string[];
  /** The decision that a click on an intent begins. */
  readonly decision: 'link' | 'reject';
  readonly onChoose: (intentId: string) => void;
}

/** Intents with a button each, which begins a decision about that intent. */
export function PossibleIntents({ environment, title, ids, decision, onChoose }: IntentsProps) {
  if (ids.length === 0) return null;
  return (
    <section>
      <Title order={3} size="h5" mt="md" mb="xs">
        {title}
      </Title>
      {ids.map((id) => (
        <PossibleIntent key={id} environment={environment} id={id} decision={decision} onChoose={() => onChoose(id)} />
      ))}
    </section>
  );
}

interface IntentProps {
  readonly environment: Environment;
  readonly id: string;
  readonly decision: 'link' | 'reject';
  readonly onChoose: () => void;
}

function PossibleIntent({ environment, id, decision, onChoose }: IntentProps) {
  const { t, money } = useWords();
  const found = useOperation(['intent', id], 'getPayment', { params: { id } });
  const intent = found.data?.intent;
  return (
    <Group gap="sm" mb="xs" data-possible-intent={id}>
      <Anchor component={Link} href={placeOf(environment, 'payments', id)} fw={600} py={4}>
        {intent === undefined ? id : money(intent.amount)}
      </Anchor>
      {intent === undefined ? null : (
        <>
          <StatusBadge status={intent.status} />
          <Text className="identifier">{intent.customerReference}</Text>
          <Text>{intent.merchantReference}</Text>
        </>
      )}
      <ActionButton
        action={[OPERATION_OF[decision]]}
        variant="default"
        size="sm"
        onClick={onChoose}
        data-decision={`${decision}-intent`}
      >
        {decision === 'link' ? t.exceptions.linkThis : t.exceptions.rejectThis}
      </ActionButton>
    </Group>
  );
}
