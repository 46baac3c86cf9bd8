import { Anchor, Group, Text, Title } from '@mantine/core';
import type { Environment, ExceptionDetails } from '@pay/contracts';
import { Link } from 'wouter';
import { RowButton } from '../parts/action-button';
import { StatusBadge } from '../parts/status-badge';
import { useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useReasonText } from '../sms/reasons';
import { useWords } from '../text/language';
import { candidateReasons } from './other-intents';
import { OPERATION_OF } from './possible-actions';

interface IntentsProps {
  readonly environment: Environment;
  readonly title: string;
  readonly ids: readonly string[];
  readonly item: ExceptionDetails;
  /** The decision that a click on an intent begins. */
  readonly decision: 'link' | 'reject';
  readonly onChoose: (intentId: string) => void;
}

/** Intents with a button each, which begins a decision about that intent. */
export function PossibleIntents({ environment, title, ids, item, decision, onChoose }: IntentsProps) {
  if (ids.length === 0) return null;
  return (
    <section>
      <Title order={3} size="h5" mt="md" mb="xs">
        {title}
      </Title>
      {ids.map((id) => (
        <PossibleIntent
          key={id}
          environment={environment}
          id={id}
          reasons={candidateReasons(item, id)}
          decision={decision}
          onChoose={() => onChoose(id)}
        />
      ))}
    </section>
  );
}

interface IntentProps {
  readonly environment: Environment;
  readonly id: string;
  /** Why it is possible. */
  readonly reasons: readonly string[];
  readonly decision: 'link' | 'reject';
  readonly onChoose: () => void;
}

function PossibleIntent({ environment, id, reasons, decision, onChoose }: IntentProps) {
  const { t, money } = useWords();
  const reasonText = useReasonText();
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
      {reasons.map((reason) => (
        <Text key={reason} size="sm">
          {reasonText(reason)}
        </Text>
      ))}
      <RowButton action={[OPERATION_OF[decision]]} onClick={onChoose} data-decision={`${decision}-intent`}>
        {decision === 'link' ? t.exceptions.linkThis : t.exceptions.rejectThis}
      </RowButton>
    </Group>
  );
}
