import { Checkbox, Group, Stack, Text } from '@mantine/core';
import type { DeviceResponse } from '@pay/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { RowButton } from '../parts/action-button';
import { controlled, ReasonField } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { FailureAlert } from '../parts/page-states';
import { Caption } from '../parts/typography';
import { useCall } from '../session/session-context';
import { useDeviceWords } from './words';

interface UnsignedTextsProps {
  readonly device: DeviceResponse;
  /** Asks for the acknowledgement and the reason. */
  readonly onAllow: () => void;
  readonly onChanged: (device: DeviceResponse) => void;
}

/** Whether LIVE accepts texts of a phone that its forwarder app did not sign. */
export function UnsignedTexts({ device, onAllow, onChanged }: UnsignedTextsProps) {
  const w = useDeviceWords();
  const call = useCall();
  const refuse = useMutation({
    mutationFn: () => call('refuseUnsignedTexts', { params: { id: device.id } }),
    onSuccess: onChanged,
  });
  return (
    <Stack gap="xs" data-unsigned-texts={device.allowsUnsignedTexts ? 'allowed' : 'refused'}>
      <Group justify="space-between">
        <div>
          <Text fw={600}>{w.unsignedTexts}</Text>
          <Caption>{device.allowsUnsignedTexts ? w.unsignedAllowed : w.unsignedRefused}</Caption>
        </div>
        {device.allowsUnsignedTexts ? (
          <RowButton action={['refuseUnsignedTexts']} loading={refuse.isPending} onClick={() => refuse.mutate()}>
            {w.refuseUnsigned}
          </RowButton>
        ) : (
          <RowButton action={['allowUnsignedTexts']} onClick={onAllow}>
            {w.allowUnsigned}
          </RowButton>
        )}
      </Group>
      <FailureAlert error={refuse.error} />
    </Stack>
  );
}

interface DialogProps {
  readonly device: DeviceResponse;
  readonly onChanged: (device: DeviceResponse) => void;
  readonly onClose: () => void;
}

export function AllowUnsignedTextsDialog({ device, onChanged, onClose }: DialogProps) {
  const w = useDeviceWords();
  const call = useCall();
  const [isAcknowledged, setAcknowledged] = useState(false);
  const [reason, setReason] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const allow = useMutation({
    mutationFn: () =>
      call('allowUnsignedTexts', {
        params: { id: device.id },
        body: { acknowledgeForgedPayments: true, reason: reason.trim() },
      }),
    onSuccess: onChanged,
  });
  return (
    <FormDialog
      title={`${w.allowUnsigned}: ${device.name}`}
      consequences={w.allowUnsignedText}
      submitText={w.allowUnsigned}
      isDestructive
      action={allow}
      onSubmit={() => {
        setSubmitted(true);
        return isAcknowledged ? allow.mutateAsync() : undefined;
      }}
      onClose={onClose}
    >
      <Checkbox
        label={w.acknowledgeForged}
        checked={isAcknowledged}
        onChange={(event) => setAcknowledged(event.currentTarget.checked)}
        error={isSubmitted && !isAcknowledged ? w.acknowledgeMissing : null}
      />
      <ReasonField {...controlled(reason, setReason)} />
    </FormDialog>
  );
}
