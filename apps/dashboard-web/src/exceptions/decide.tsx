import { Group, Text } from '@mantine/core';
import type { Environment, ExceptionDetails } from '@pay/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../api/api-failure';
import { ActionButton } from '../parts/action-button';
import { useCall, useUser } from '../session/session-context';
import { useWords } from '../text/language';
import { newId } from '../parts/new-id';
import { useFailureText } from '../parts/page-states';
import { Section } from '../parts/section';
import { DecisionDialog } from './decision-dialog';
import { OPERATION_OF, possibleDecisions, type Decision, type Outcome } from './possible-actions';
import { intentsToReject, otherIntentsOf } from './other-intents';
import { PossibleIntents } from './possible-intents';

interface DecideProps {
  readonly environment: Environment;
  readonly item: ExceptionDetails;
  readonly onOutcome: (outcome: Outcome, changed?: ExceptionDetails) => void;
}

interface Chosen {
  readonly decision: Decision;
  /** The intent that the reviewer wants to link or reject. */
  readonly intentId?: string;
}

/** The decisions that are possible, each explained in a dialog before it is applied. */
export function Decide({ environment, item, onOutcome }: DecideProps) {
  const { t } = useWords();
  const call = useCall();
  const user = useUser();
  const failureText = useFailureText();
  const [chosen, setChosen] = useState<Chosen>();
  const decisions = possibleDecisions(item);
  const rejectable = intentsToReject(item);
  const assign = useMutation({
    mutationFn: () =>
      call('assignException', {
        params: { id: item.id },
        body: { assigneeId: user.id, reason: t.exceptions.assignReason, requestId: newId() },
      }),
    onSuccess: (changed) => onOutcome('assigned', changed),
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'EXCEPTION_DECIDED') onOutcome('conflict');
    },
  });
  const settle = (outcome: Outcome, changed?: ExceptionDetails) => {
    setChosen(undefined);
    onOutcome(outcome, changed);
  };

  return (
    <Section title={t.exceptions.decide} mb="md">
      {decisions.length + rejectable.length === 0 ? <Text c="dimmed">{t.exceptions.nothingToDo}</Text> : null}
      <Group gap="sm">
        {decisions.map((decision, index) => (
          <ActionButton
            key={decision}
            action={[OPERATION_OF[decision]]}
            variant={index === 0 ? 'filled' : 'default'}
            onClick={() => setChosen({ decision })}
            data-decision={decision}
          >
            {t.exceptions.actions[decision]}
          </ActionButton>
        ))}
        {item.status === 'OPEN' && item.assigneeId !== user.id ? (
          <ActionButton
            action={['assignException']}
            variant="subtle"
            loading={assign.isPending}
            onClick={() => assign.mutate()}
          >
            {t.exceptions.takeOver}
          </ActionButton>
        ) : null}
      </Group>
      {decisions.includes('link') ? (
        <PossibleIntents
          environment={environment}
          title={t.exceptions.candidates}
          ids={otherIntentsOf(item)}
          item={item}
          decision="link"
          onChoose={(intentId) => setChosen({ decision: 'link', intentId })}
        />
      ) : null}
      <PossibleIntents
        environment={environment}
        title={t.exceptions.stillInReview}
        ids={rejectable}
        item={item}
        decision="reject"
        onChoose={(intentId) => setChosen({ decision: 'reject', intentId })}
      />
      {assign.isError ? (
        <Text c="red" mt="sm" role="alert">
          {failureText(assign.error)}
        </Text>
      ) : null}
      {chosen === undefined ? null : (
        <DecisionDialog
          key={`${chosen.decision} ${chosen.intentId ?? ''}`}
          item={item}
          decision={chosen.decision}
          chosenIntentId={chosen.intentId ?? ''}
          onClose={() => setChosen(undefined)}
          onOutcome={settle}
        />
      )}
    </Section>
  );
}
