import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Identifier } from '../parts/facts';
import { controlled, RequiredTextInput } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { QrCode } from '../parts/qr-code';
import { ShownOnce } from '../parts/shown-once';
import { useCall } from '../session/session-context';
import { useWords } from '../text/language';
import { digitCode, latinDigits } from '../text/whole-number';
import { CurrentPasswordField } from './current-password-field';
import { usePeopleWords } from './words';

interface DialogProps {
  readonly onClose: (message?: string) => void;
}

/** Password, then QR code and first code, then recovery codes. */
export function EnrolDialog({ onClose }: DialogProps) {
  const { account: w } = usePeopleWords();
  const { count } = useWords();
  const call = useCall();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const enrol = useMutation({ mutationFn: () => call('enrolTwoFactor', { body: { password } }) });
  const digits = digitCode(code);
  const confirm = useMutation({ mutationFn: () => call('confirmTwoFactor', { body: { code: digits } }) });
  if (confirm.data !== undefined) {
    const { recoveryCodes, endedSessions } = confirm.data;
    return (
      <ShownOnce
        title={w.recovery}
        warning={w.recoveryText}
        values={[{ name: w.recovery, text: recoveryCodes.join('\n') }]}
        done={w.stored}
        onClose={() => onClose(w.ended(count(endedSessions)))}
      />
    );
  }
  if (enrol.data === undefined) {
    return (
      <FormDialog
        title={w.factor}
        consequences={w.enableText}
        submitText={w.enable}
        action={enrol}
        onClose={() => onClose()}
      >
        <CurrentPasswordField {...controlled(password, setPassword)} />
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={w.factor}
      consequences={w.scan}
      submitText={w.confirm}
      action={confirm}
      onClose={() => onClose()}
    >
      <Stack align="center">
        <QrCode svg={enrol.data.qrSvg} name={w.qr} />
        <Text size="sm" data-testid="totp-secret">
          {w.secret}: <Identifier text={enrol.data.secret} name={w.secret} />
        </Text>
      </Stack>
      <RequiredTextInput
        label={w.code}
        {...controlled(code, setCode)}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </FormDialog>
  );
}

export function DisableFactorDialog({ onClose }: DialogProps) {
  const { account: w } = usePeopleWords();
  const call = useCall();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const apply = useMutation({
    mutationFn: () => call('disableTwoFactor', { body: { password, code: latinDigits(code.trim()) } }),
    onSuccess: () => onClose(),
  });
  return (
    <FormDialog
      title={w.factor}
      consequences={w.disableText}
      submitText={w.disable}
      isDestructive
      action={apply}
      onClose={() => onClose()}
    >
      <CurrentPasswordField {...controlled(password, setPassword)} />
      <RequiredTextInput
        label={w.code}
        description={w.codeHint}
        {...controlled(code, setCode)}
        autoComplete="one-time-code"
      />
    </FormDialog>
  );
}
