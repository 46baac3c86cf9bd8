import { Anchor, Group, Text, Title } from '@mantine/core';
import type { Environment, ExceptionDetails } from '@pay/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ActionButton } from '../parts/action-button';
import { StatusBadge } from '../parts/status-badge';
import { useCall } from '../session/session-context';
import { placeOf } from '../shell/places';
import { useWords } from '../text/language';
import { OPERATION_OF } from './possible-actions';
import { otherIntentsOf } from './other-intents';

interface IntentsProps {
  readonly environment: Environment;
  readonly item: ExceptionDetails;
  readonly onLink: (intentId: string) => void;
}

/** The intents that the rules or a suggestion name, each one click away from being linked. */
export function PossibleIntents({ environment, item, onLink }: IntentsProps) {
  const { t } = useWords();
  const ids = otherIntentsOf(item);
  if (ids.length === 0) return null;
  return (
    <section>
      <Title order={3} size="h5" mt="md" mb="xs">
        {t.exceptions.candidates}
      </Title>
      {ids.map((id) => (
        <PossibleIntent key={id} environment={environment} id={id} onLink={() => onLink(id)} />
      ))}
    </section>
  );
}

interface IntentProps {
  readonly environment: Environment;
  readonly id: string;
  readonly onLink: () => void;
}

function PossibleIntent({ environment, id, onLink }: IntentProps) {
  const { t, money } = useWords();
  const call = useCall();
  const found = useQuery({
    queryKey: ['intent', id],
    queryFn: ({ signal }) => call('getPayment', { params: { id } }, signal),
  });
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
      <ActionButton action={[OPERATION_OF.link]} variant="default" size="sm" onClick={onLink}>
        {t.exceptions.linkThis}
      </ActionButton>
    </Group>
  );
}
