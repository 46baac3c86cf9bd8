import { Group, Paper, Text } from '@mantine/core';
import type { NumberProofResponse } from '@pay/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton, RowButton } from '../parts/action-button';
import { Time } from '../parts/facts';
import { controlled, RequiredTextInput } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { Pending } from '../parts/page-states';
import { ToneBadge } from '../parts/tone-badge';
import { Caption, Heading } from '../parts/typography';
import { useCall, useOperation } from '../session/session-context';
import { useWords } from '../text/language';
import { latinDigits } from '../text/whole-number';
import { useReceiverWords } from './words';

/** Proofs that LIVE numbers are the merchant's. */
export function NumberProofs() {
  const w = useReceiverWords();
  const { t } = useWords();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<NumberProofResponse | 'new'>();
  const list = useOperation(['number-proofs'], 'listNumberProofs', { query: { limit: '100' } });
  return (
    <section>
      <Group justify="space-between">
        <div>
          <Heading>{w.proofs}</Heading>
          <Text c="dimmed" mb="sm">
            {w.proofsText}
          </Text>
        </div>
        <ActionButton action={['requestNumberProof']} variant="default" onClick={() => setChosen('new')}>
          {w.requestProof}
        </ActionButton>
      </Group>
      {list.data === undefined ? (
        <Pending query={list} />
      ) : list.data.data.length === 0 ? (
        <Text c="dimmed">{w.noProofs}</Text>
      ) : (
        <Paper component="ul" className="card-list" bg="transparent">
          {list.data.data.map((proof) => (
            <Paper key={proof.id} component="li" withBorder p="md" mb="sm">
              <Group justify="space-between">
                <Group gap="sm">
                  <Text fw={600} className="identifier">
                    {proof.msisdn}
                  </Text>
                  <ToneBadge tone={proof.status === 'PROVEN' ? 'good' : 'neutral'}>
                    {w.proofStates[proof.status]}
                  </ToneBadge>
                </Group>
                {proof.status === 'CODE_SENT' ? (
                  <RowButton action={['confirmNumberProof']} onClick={() => setChosen(proof)}>
                    {w.enterCode}
                  </RowButton>
                ) : null}
              </Group>
              <Caption>
                {t.fields.created}: <Time at={proof.createdAt} />
              </Caption>
            </Paper>
          ))}
        </Paper>
      )}
      {chosen === undefined ? null : (
        <ProofDialog
          proof={chosen === 'new' ? undefined : chosen}
          onClose={() => {
            setChosen(undefined);
            void queries.invalidateQueries({ queryKey: ['number-proofs'] });
          }}
        />
      )}
    </section>
  );
}

interface DialogProps {
  readonly proof: NumberProofResponse | undefined;
  readonly onClose: () => void;
}

/** Forms for the number to prove, and for the code that was sent to it. */
function ProofDialog({ proof, onClose }: DialogProps) {
  const w = useReceiverWords();
  const call = useCall();
  const [text, setText] = useState('');
  const entered = latinDigits(text);
  const apply = useMutation({
    mutationFn: () =>
      proof === undefined
        ? call('requestNumberProof', { body: { msisdn: entered } })
        : call('confirmNumberProof', { params: { id: proof.id }, body: { code: entered } }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={proof === undefined ? w.requestProof : `${w.enterCode}: ${proof.msisdn}`}
      consequences={proof === undefined ? w.requestProofText : w.codeText}
      submitText={proof === undefined ? w.requestProof : w.enterCode}
      action={apply}
      onClose={onClose}
    >
      <RequiredTextInput
        label={proof === undefined ? w.number : w.code}
        {...controlled(text, setText)}
        maxLength={40}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  );
}
