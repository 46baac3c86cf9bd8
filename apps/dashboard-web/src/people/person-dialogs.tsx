import { NativeSelect } from '@mantine/core';
import type { Role, UserResponse } from '@pay/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { controlled, RequiredTextInput } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { useCall, useUser } from '../session/session-context';
import { useWords } from '../text/language';
import { OPERATION_OF, usePeopleWords, type PersonAction } from './words';

interface PersonDialogProps {
  readonly action: PersonAction;
  readonly person: UserResponse;
  readonly onClose: () => void;
}

/** Explains a change of a person's membership and applies it. */
export function PersonDialog({ action, person, onClose }: PersonDialogProps) {
  const w = usePeopleWords();
  const call = useCall();
  const [role, setRole] = useState(person.role);
  const apply = useMutation({
    mutationFn: () => {
      const params = { id: person.id };
      return action === 'change'
        ? call('changeUser', { params, body: { role } })
        : call(OPERATION_OF[action], { params });
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={`${w.actions[action]}: ${person.name}`}
      consequences={w.consequences[action]}
      submitText={w.actions[action]}
      isDestructive={action === 'deactivate'}
      action={apply}
      onClose={onClose}
    >
      {action === 'change' ? <RoleSelect role={role} onChange={setRole} /> : null}
    </FormDialog>
  );
}

/** The form of an invitation: address and role. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const w = usePeopleWords();
  const call = useCall();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('REVIEWER');
  const apply = useMutation({
    mutationFn: () => call('createInvitation', { body: { email: email.trim(), name: name.trim(), role } }),
    onSuccess: onClose,
  });
  return (
    <FormDialog title={w.invite} consequences={w.inviteText} action={apply} onClose={onClose}>
      <RequiredTextInput
        label={w.email}
        type="email"
        {...controlled(email, setEmail)}
        maxLength={254}
        autoComplete="off"
        data-autofocus
      />
      <RequiredTextInput label={w.name} {...controlled(name, setName)} maxLength={120} autoComplete="off" />
      <RoleSelect role={role} onChange={setRole} />
    </FormDialog>
  );
}

/** Only an OWNER makes owners. */
function RoleSelect({ role, onChange }: { readonly role: Role; readonly onChange: (role: Role) => void }) {
  const w = usePeopleWords();
  const { t } = useWords();
  const user = useUser();
  const roles = (Object.keys(t.roles) as Role[]).filter((each) => each !== 'OWNER' || user.role === 'OWNER');
  return (
    <NativeSelect
      label={w.role}
      description={w.roleTexts[role]}
      {...controlled(role, onChange)}
      data={roles.map((value) => ({ value, label: t.roles[value] }))}
    />
  );
}
