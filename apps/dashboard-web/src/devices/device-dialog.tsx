import { Button, Stack, Text } from '@mantine/core';
import type { DeviceResponse, Environment } from '@pay/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '../api/operations';
import { Dialog } from '../parts/dialog';
import { Identifier, Time } from '../parts/facts';
import { controlled, RequiredTextInput } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { QrCode } from '../parts/qr-code';
import { Caption } from '../parts/typography';
import { useCall } from '../session/session-context';
import { useWords } from '../text/language';

/** The operation of each action. */
export const OPERATION_OF = {
  create: 'createDevice',
  pair: 'beginDevicePairing',
  disable: 'disableDevice',
  enable: 'enableDevice',
} as const;
export type DeviceAction = keyof typeof OPERATION_OF;

interface DialogProps {
  readonly environment: Environment;
  readonly action: DeviceAction;
  readonly device: DeviceResponse | undefined;
  readonly onClose: () => void;
}

/** Explains a change of a device and applies it. A pairing code is shown as text and as a QR code. */
export function DeviceDialog({ environment, action, device, onClose }: DialogProps) {
  const { t } = useWords();
  const call = useCall();
  const [name, setName] = useState('');
  // If only the pairing fails, another attempt pairs this phone instead of adding a second one.
  const [createdId, setCreatedId] = useState<string>();
  const [pairing, setPairing] = useState<Output<'beginDevicePairing'>>();
  const apply = useMutation({
    mutationFn: async () => {
      const params = { id: device?.id ?? '' };
      switch (action) {
        case 'create': {
          const id = createdId ?? (await call('createDevice', { body: { environment, name: name.trim() } })).id;
          setCreatedId(id);
          return call('beginDevicePairing', { params: { id } });
        }
        case 'pair':
          return call('beginDevicePairing', { params });
        case 'disable':
        case 'enable':
          await call(OPERATION_OF[action], { params });
          return undefined;
      }
    },
    onSuccess: (begun) => {
      if (begun === undefined) onClose();
      else setPairing(begun);
    },
  });
  const title = device === undefined ? t.devices.actions[action] : `${t.devices.actions[action]}: ${device.name}`;

  if (pairing !== undefined) {
    const { qrSvg, code, pairingId, expiresAt } = pairing;
    return (
      <Dialog title={t.devices.scan} onClose={onClose} closeLabel={t.exceptions.cancel}>
        <Stack align="center">
          <Text>{t.devices.scanText}</Text>
          <QrCode svg={qrSvg} name={t.devices.qr} />
          <Text fw={700} size="xl" className="identifier" data-testid="pairing-code">
            {code}
          </Text>
          <Caption>
            {t.devices.pairingId}: <Identifier text={pairingId} name={t.devices.pairingId} />
          </Caption>
          <Caption>
            {t.devices.codeExpires}: <Time at={expiresAt} />
          </Caption>
          <Button
            onClick={({ detail }) => {
              // The second click of a double click on the button before must not close it: the code is shown once.
              if (detail > 1) return;
              onClose();
            }}
          >
            {t.devices.done}
          </Button>
        </Stack>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={title}
      consequences={t.devices.consequences[action]}
      submitText={t.devices.actions[action]}
      isDestructive={action === 'disable'}
      action={apply}
      onClose={onClose}
    >
      {action === 'create' ? (
        <RequiredTextInput
          label={t.devices.name}
          {...controlled(name, setName)}
          maxLength={120}
          autoComplete="off"
          data-autofocus
        />
      ) : null}
    </FormDialog>
  );
}
