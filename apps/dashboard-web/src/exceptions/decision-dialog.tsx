import { Alert, Checkbox, Group, Text } from '@mantine/core';
import type { ExceptionDetails } from '@pay/contracts';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiFailure, isTemporary } from '../api/api-failure';
import { controlled, ReasonField, RequiredTextInput } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { newId } from '../parts/new-id';
import { useFailureText } from '../parts/page-states';
import { StatusBadge } from '../parts/status-badge';
import { useCall, useOperation } from '../session/session-context';
import { useReasonText } from '../sms/reasons';
import { useWords } from '../text/language';
import {
  acknowledgedFields,
  claimDoubtsOf,
  doubtsOfLink,
  isMismatch,
  mismatchesOf,
  type ClaimDoubt,
  type Mismatch,
} from './acknowledgements';
import { OPERATION_OF, type Decision, type Outcome } from './possible-actions';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface DialogProps {
  readonly item: ExceptionDetails;
  readonly decision: Decision;
  /** The intent to reject by name, or the initial value of the field for the id of an intent to link; may be empty. */
  readonly chosenIntentId: string;
  readonly onClose: () => void;
  readonly onOutcome: (outcome: Outcome, changed?: ExceptionDetails) => void;
}

/** Explains a decision, requires its acknowledgements and reason, and applies it once. */
export function DecisionDialog({ item, decision, chosenIntentId, onClose, onOutcome }: DialogProps) {
  const { t, money } = useWords();
  const call = useCall();
  const failureText = useFailureText();
  const reasonText = useReasonText();
  // The same id until the API has answered: a decision whose response was lost is applied once.
  const requestId = useRef(newId());
  const [reason, setReason] = useState('');
  const [intentId, setIntentId] = useState(chosenIntentId);
  const [mismatches, setMismatches] = useState(() => (decision === 'resolve' ? mismatchesOf(item.checks) : []));
  const [accepted, setAccepted] = useState<readonly (Mismatch | ClaimDoubt)[]>([]);
  const [isSubmitted, setSubmitted] = useState(false);

  const chosenId = UUID.test(intentId.trim()) ? intentId.trim().toLowerCase() : undefined;
  const required = [...doubtsOf(item, decision, chosenId), ...mismatches];
  const isAcknowledged = required.every((each) => accepted.includes(each));
  const linked = useOperation(['intent', chosenId], 'getPayment', {
    params: { id: chosenId ?? '' },
    enabled: chosenId !== undefined,
  });
  const expected = decision === 'link' ? linked.data?.intent.amount : item.expectedAmount;
  const received = item.receivedAmount;
  const amounts = expected !== undefined && expected !== null && received !== null ? { expected, received } : undefined;

  const apply = useMutation({
    mutationFn: () => {
      const params = { id: item.id };
      const common = { reason: reason.trim(), requestId: requestId.current };
      const fields = acknowledgedFields(accepted, amounts);
      switch (decision) {
        case 'resolve':
          return call('resolveException', { params, body: { ...common, ...fields } });
        case 'link':
          return call('linkException', { params, body: { ...common, ...fields, paymentIntentId: chosenId ?? '' } });
        case 'reject':
          return call('rejectException', {
            params,
            body: chosenId === undefined ? common : { ...common, paymentIntentId: chosenId },
          });
        case 'refunded':
        case 'not-ours':
        case 'reopen':
          return call(OPERATION_OF[decision], { params, body: common });
      }
    },
    onSuccess: (changed) => onOutcome('done', changed),
    onError: (error) => {
      if (!(error instanceof ApiFailure)) return;
      if (error.code === 'EXCEPTION_DECIDED' || error.code === 'EXCEPTION_NOT_CLOSED') onOutcome('conflict');
      if (!isTemporary(error)) requestId.current = newId();
      const { code } = error;
      if (isMismatch(code)) setMismatches((known) => [...new Set([...known, code])]);
    },
  });

  const isComplete = isAcknowledged && (decision !== 'link' || linked.data !== undefined);
  const submit = () => {
    setSubmitted(true);
    return isComplete ? apply.mutateAsync() : undefined;
  };
  const sentenceOf = (acknowledgement: Mismatch | ClaimDoubt) => {
    if (!isMismatch(acknowledgement)) return t.exceptions.acknowledge.doubt(reasonText(acknowledgement));
    return acknowledgement === 'AMOUNT_DIFFERS'
      ? t.exceptions.acknowledge.AMOUNT_DIFFERS(money(amounts?.expected ?? '0'), money(amounts?.received ?? '0'))
      : t.exceptions.acknowledge[acknowledgement];
  };
  const consequence =
    decision !== 'reject'
      ? t.exceptions.consequences[decision]
      : chosenId !== undefined
        ? t.exceptions.rejectsByName
        : item.dispute !== null
          ? t.exceptions.rejectsDispute
          : t.exceptions.consequences.reject;
  const failure = apply.error instanceof ApiFailure && !isMismatch(apply.error.code) ? apply.error : undefined;

  return (
    <FormDialog
      title={t.exceptions.actions[decision]}
      isDestructive={decision === 'reject'}
      isDisabled={!isAcknowledged}
      action={apply}
      onSubmit={submit}
      failure={
        failure === undefined ? null : (
          <Alert color="red" role="alert" {...(isTemporary(failure) ? { title: t.exceptions.unknownTitle } : {})}>
            {isTemporary(failure) ? t.exceptions.unknownText : failureText(failure)}
          </Alert>
        )
      }
      onClose={onClose}
    >
      {decision === 'resolve' ? <Text fw={600}>{reasonText(item.reason)}</Text> : null}
      <Text>{consequence}</Text>
      {decision === 'link' ? (
        <RequiredTextInput
          label={t.exceptions.intentToLink}
          value={intentId}
          onChange={(event) => {
            setIntentId(event.currentTarget.value);
            // They were about the other intent.
            setMismatches([]);
            setAccepted([]);
          }}
          error={
            isSubmitted && chosenId === undefined
              ? t.exceptions.intentIdWrong
              : linked.isError
                ? failureText(linked.error)
                : null
          }
          autoComplete="off"
        />
      ) : null}
      {linked.data === undefined ? null : (
        <Group gap="sm">
          <Text fw={600}>{money(linked.data.intent.amount)}</Text>
          <StatusBadge status={linked.data.intent.status} />
          <Text className="identifier">{linked.data.intent.customerReference}</Text>
        </Group>
      )}
      {required.map((acknowledgement) => (
        <Checkbox
          key={acknowledgement}
          label={sentenceOf(acknowledgement)}
          checked={accepted.includes(acknowledgement)}
          onChange={(event) => {
            const { checked } = event.currentTarget;
            setAccepted((known) =>
              checked ? [...known, acknowledgement] : known.filter((each) => each !== acknowledgement),
            );
          }}
        />
      ))}
      <ReasonField
        {...controlled(reason, setReason)}
        {...(decision === 'link' && chosenIntentId === '' ? {} : { 'data-autofocus': true })}
      />
    </FormDialog>
  );
}

function doubtsOf(item: ExceptionDetails, decision: Decision, chosenId: string | undefined): readonly ClaimDoubt[] {
  if (decision === 'resolve') return claimDoubtsOf(item);
  return decision === 'link' && chosenId !== undefined ? doubtsOfLink(item, chosenId) : [];
}
