import { Group, Paper, Text } from '@mantine/core';
import type { PaymentMethod, ReceiverAccountResponse } from '@pay/contracts';
import { useState } from 'react';
import { RowButton } from '../parts/action-button';
import { FormDialog } from '../parts/form-dialog';
import { Pending } from '../parts/page-states';
import { ToneBadge } from '../parts/tone-badge';
import { Heading } from '../parts/typography';
import { useOperation } from '../session/session-context';
import { useSaveMerchant } from '../settings/use-save-merchant';
import { useWords } from '../text/language';
import { useReceiverWords } from './words';

interface MethodsProps {
  /** Undefined until they are known. */
  readonly accounts: readonly ReceiverAccountResponse[] | undefined;
}

/** Which methods customers can choose from. */
export function PaymentMethods({ accounts }: MethodsProps) {
  const w = useReceiverWords();
  const { t } = useWords();
  const [chosen, setChosen] = useState<{ readonly method: PaymentMethod; readonly enable: boolean }>();
  const merchant = useOperation(['merchant'], 'getMerchant', {});
  const enabled = merchant.data?.enabledMethods ?? [];
  const request = useSaveMerchant();
  const change = async ({ method, enable }: NonNullable<typeof chosen>) => {
    await request.mutateAsync({ enabledMethods: { [method]: enable } });
    setChosen(undefined);
  };
  return (
    <section>
      <Heading>{w.methods}</Heading>
      <Text c="dimmed" mb="sm">
        {w.methodsText}
      </Text>
      {merchant.data === undefined ? (
        <Pending query={merchant} />
      ) : (
        <Paper component="ul" className="card-list" bg="transparent">
          {(Object.keys(t.methods) as PaymentMethod[]).map((method) => {
            const isEnabled = enabled.includes(method);
            const hasAccount =
              accounts?.some((account) => account.paymentMethod === method && account.isActive) ?? true;
            return (
              <Paper key={method} component="li" withBorder px="md" py="xs" mb="xs" data-method={method}>
                <Group justify="space-between">
                  <Group gap="sm">
                    <Text fw={600}>{t.methods[method]}</Text>
                    <ToneBadge tone={isEnabled ? 'good' : 'neutral'}>{isEnabled ? w.enabled : w.disabled}</ToneBadge>
                    {isEnabled && !hasAccount ? <ToneBadge tone="warning">{w.noAccount}</ToneBadge> : null}
                  </Group>
                  <RowButton action={['changeMerchant']} onClick={() => setChosen({ method, enable: !isEnabled })}>
                    {isEnabled ? w.disableMethod : w.enableMethod}
                  </RowButton>
                </Group>
              </Paper>
            );
          })}
        </Paper>
      )}
      {chosen === undefined ? null : (
        <FormDialog
          title={t.methods[chosen.method]}
          consequences={(chosen.enable ? w.enableMethodText : w.disableMethodText)(t.methods[chosen.method])}
          submitText={chosen.enable ? w.enableMethod : w.disableMethod}
          isDestructive={!chosen.enable}
          action={request}
          onSubmit={() => change(chosen)}
          onClose={() => setChosen(undefined)}
        />
      )}
    </section>
  );
}
