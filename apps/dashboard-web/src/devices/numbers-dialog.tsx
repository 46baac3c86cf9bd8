import { NativeSelect, Text } from '@mantine/core';
import type { DeviceResponse, ReceiverAccountResponse } from '@pay/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../parts/form-dialog';
import { useCall } from '../session/session-context';
import { digits } from '../text/format';
import { useWords } from '../text/language';
import { ANY_SLOT, simsOf, slotsOf } from './sims';
import { useDeviceWords } from './words';

const SLOTS = ['1', '2'];

interface DialogProps {
  readonly device: DeviceResponse;
  readonly accounts: readonly ReceiverAccountResponse[];
  readonly onClose: () => void;
}

/** Says which receiving numbers have their SIM in a phone. */
export function NumbersDialog({ device, accounts, onClose }: DialogProps) {
  const w = useDeviceWords();
  const { t, language } = useWords();
  const call = useCall();
  const [slots, setSlots] = useState(() => slotsOf(device.sims));
  const apply = useMutation({
    mutationFn: () => call('changeDevice', { params: { id: device.id }, body: { sims: [...simsOf(slots)] } }),
    onSuccess: onClose,
  });
  const known = [...new Set([...SLOTS, ...Object.values(slots).filter((slot) => slot !== '' && slot !== ANY_SLOT)])];
  return (
    <FormDialog
      title={`${w.numbers}: ${device.name}`}
      consequences={w.numbersText}
      submitText={w.save}
      action={apply}
      onClose={onClose}
    >
      {accounts.length === 0 ? <Text c="dimmed">{w.noNumbers}</Text> : null}
      {accounts.map(({ id, msisdn, paymentMethod }) => (
        <NativeSelect
          key={id}
          label={`${msisdn} · ${t.methods[paymentMethod]}`}
          value={slots[id] ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setSlots((before) => ({ ...before, [id]: value }));
          }}
          data={[
            { value: '', label: w.notHere },
            { value: ANY_SLOT, label: w.anySlot },
            ...known.map((slot) => ({ value: slot, label: w.slot(digits(slot, language)) })),
          ]}
        />
      ))}
    </FormDialog>
  );
}
