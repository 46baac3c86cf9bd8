import { NativeSelect } from '@mantine/core';
import type { ApiKeyResponse, Environment } from '@pay/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { controlled, optionsOf, RequiredTextInput } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { ShownOnce } from '../parts/shown-once';
import { useCall } from '../session/session-context';
import { useWords } from '../text/language';

/** The operation of each action. */
export const OPERATION_OF = {
  create: 'createApiKey',
  rename: 'changeApiKey',
  rotate: 'rotateApiKey',
  lock: 'lockApiKey',
  unlock: 'unlockApiKey',
  revoke: 'revokeApiKey',
} as const;
export type KeyAction = keyof typeof OPERATION_OF;

const DEFAULT_OVERLAP = 86_400;

interface DialogProps {
  readonly environment: Environment;
  readonly action: KeyAction;
  readonly apiKey: ApiKeyResponse | undefined;
  readonly onClose: () => void;
}

/** Explains a change of a key and applies it. A new key is shown here and nowhere else. */
export function ApiKeyDialog({ environment, action, apiKey, onClose }: DialogProps) {
  const { t } = useWords();
  const call = useCall();
  const [name, setName] = useState(apiKey?.name ?? '');
  const [overlap, setOverlap] = useState<string>(String(DEFAULT_OVERLAP));
  const apply = useMutation({
    mutationFn: async (): Promise<string | undefined> => {
      const params = { id: apiKey?.id ?? '' };
      switch (action) {
        case 'create':
          return (await call('createApiKey', { body: { environment, name: name.trim() } })).apiKey;
        case 'rename':
          await call('changeApiKey', { params, body: { name: name.trim() } });
          return undefined;
        case 'rotate':
          return (await call('rotateApiKey', { params, body: { overlapSeconds: Number(overlap) } })).apiKey;
        case 'lock':
        case 'unlock':
        case 'revoke':
          await call(OPERATION_OF[action], { params });
          return undefined;
      }
    },
    onSuccess: (key) => {
      if (key === undefined) onClose();
    },
  });
  const title = apiKey === undefined ? t.apiKeys.actions[action] : `${t.apiKeys.actions[action]}: ${apiKey.name}`;
  const asksName = action === 'create' || action === 'rename';

  if (apply.data !== undefined) {
    return (
      <ShownOnce
        title={t.apiKeys.newKey}
        warning={t.apiKeys.shownOnce}
        values={[{ name: t.apiKeys.newKey, text: apply.data }]}
        done={t.apiKeys.stored}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={title}
      consequences={t.apiKeys.consequences[action]}
      submitText={t.apiKeys.actions[action]}
      isDestructive={action === 'revoke'}
      action={apply}
      onClose={onClose}
    >
      {asksName ? (
        <RequiredTextInput
          label={t.apiKeys.name}
          {...controlled(name, setName)}
          maxLength={120}
          autoComplete="off"
          data-autofocus
        />
      ) : null}
      {action === 'rotate' ? (
        <NativeSelect
          label={t.apiKeys.overlap}
          {...controlled(overlap, setOverlap)}
          data={optionsOf(t.apiKeys.overlaps)}
        />
      ) : null}
    </FormDialog>
  );
}
