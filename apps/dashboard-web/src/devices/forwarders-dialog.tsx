import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { DeviceResponse, Forwarder, ForwarderHookResponse } from '@pay/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton, RowButton } from '../parts/action-button';
import { Dialog } from '../parts/dialog';
import { controlled, Form, optionsOf } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { FailureAlert, Pending } from '../parts/page-states';
import { ShownOnce } from '../parts/shown-once';
import { Caption } from '../parts/typography';
import { useCall, useOperation } from '../session/session-context';
import { useWords } from '../text/language';
import { settingsOf } from './forwarder-settings';
import { AllowUnsignedTextsDialog, UnsignedTexts } from './unsigned-texts';
import { FORWARDER_NAMES, useDeviceWords } from './words';

interface DialogProps {
  readonly device: DeviceResponse;
  readonly onClose: () => void;
}

/** The apps of others that may forward the texts of a phone, and what to enter in a new one. */
export function ForwardersDialog({ device: opened, onClose }: DialogProps) {
  const w = useDeviceWords();
  const { t } = useWords();
  const call = useCall();
  const queries = useQueryClient();
  const [adapter, setAdapter] = useState<Forwarder>('sms-gateway-android');
  const [removed, setRemoved] = useState<ForwarderHookResponse>();
  const [device, setDevice] = useState(opened);
  const [isAllowing, setAllowing] = useState(false);
  const params = { id: device.id };
  const queryKey = ['devices', 'hooks', device.id];
  const hooks = useOperation(queryKey, 'listForwarderHooks', { params });
  const connect = useMutation({
    mutationFn: () => call('createForwarderHook', { params, body: { adapter } }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  const remove = useMutation({
    mutationFn: (hook: ForwarderHookResponse) =>
      call('deleteForwarderHook', { params: { ...params, forwarderHookId: hook.id } }),
    onSuccess: () => {
      setRemoved(undefined);
      return queries.invalidateQueries({ queryKey });
    },
  });

  if (isAllowing) {
    return (
      <AllowUnsignedTextsDialog
        device={device}
        onChanged={(changed) => {
          setDevice(changed);
          setAllowing(false);
        }}
        onClose={() => setAllowing(false)}
      />
    );
  }
  if (connect.data !== undefined) {
    const { path, signingSecret } = connect.data;
    return (
      <ShownOnce
        title={w.created(FORWARDER_NAMES[connect.data.adapter])}
        warning={w.enter}
        values={settingsOf(connect.data.adapter, `${location.origin}${path}`, signingSecret).map(({ name, value }) => ({
          name,
          text: value,
        }))}
        done={w.stored}
        onClose={() => connect.reset()}
      />
    );
  }
  if (removed !== undefined) {
    return (
      <FormDialog
        title={`${w.remove}: ${FORWARDER_NAMES[removed.adapter]}`}
        consequences={w.removeText(FORWARDER_NAMES[removed.adapter])}
        submitText={w.remove}
        isDestructive
        action={remove}
        onSubmit={() => remove.mutateAsync(removed)}
        onClose={() => setRemoved(undefined)}
      />
    );
  }
  return (
    <Dialog title={`${w.apps}: ${device.name}`} onClose={onClose} closeLabel={t.states.close}>
      <Stack>
        <Text>{w.appsText}</Text>
        {hooks.data === undefined ? (
          <Pending query={hooks} />
        ) : hooks.data.data.length === 0 ? (
          <Text c="dimmed">{w.noApps}</Text>
        ) : (
          hooks.data.data.map((hook) => (
            <Group key={hook.id} justify="space-between" wrap="nowrap" data-forwarder={hook.adapter}>
              <div>
                <Text fw={600}>{FORWARDER_NAMES[hook.adapter]}</Text>
                <Caption>{hook.signsText ? w.signs : w.unsigned}</Caption>
              </div>
              <RowButton action={['deleteForwarderHook', device.environment]} onClick={() => setRemoved(hook)}>
                {w.remove}
              </RowButton>
            </Group>
          ))
        )}
        <Form onSubmit={() => connect.mutateAsync()}>
          <Group align="flex-end" gap="sm">
            <NativeSelect label={w.app} {...controlled(adapter, setAdapter)} data={optionsOf(FORWARDER_NAMES)} />
            <ActionButton
              type="submit"
              action={['createForwarderHook', device.environment]}
              loading={connect.isPending}
            >
              {w.connect}
            </ActionButton>
          </Group>
        </Form>
        <FailureAlert error={connect.error} />
        {device.environment === 'LIVE' ? (
          <UnsignedTexts device={device} onAllow={() => setAllowing(true)} onChanged={setDevice} />
        ) : null}
      </Stack>
    </Dialog>
  );
}
