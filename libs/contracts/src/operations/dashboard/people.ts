import {
  changeUserRequestSchema,
  createInvitationRequestSchema,
  invitationResponseSchema,
  userResponseSchema,
} from '../../http/dashboard';
import { pageOf, pageQuerySchema } from '../../http/pagination';
import { operation } from '../operation';
import { ANYBODY, MANAGERS, page, params, service } from './common';

const OF_MANAGERS = 'An ADMIN can neither make anybody an OWNER nor change one: 403.';

const people = 'Users and invitations';

export const listUsers = operation({
  id: 'listUsers',
  service,
  method: 'get',
  path: '/v1/dashboard/users',
  tag: people,
  summary: 'List the people of the merchant',
  credential: ANYBODY,
  query: pageQuerySchema,
  answers: { 200: { description: page, body: pageOf(userResponseSchema) } },
});

export const getUser = operation({
  id: 'getUser',
  service,
  method: 'get',
  path: '/v1/dashboard/users/:id',
  tag: people,
  summary: 'Retrieve a person',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The person.', body: userResponseSchema } },
});

export const changeUser = operation({
  id: 'changeUser',
  service,
  method: 'patch',
  path: '/v1/dashboard/users/:id',
  tag: people,
  summary: 'Give a person another role',
  description: `Nobody changes their own role: 403. ${OF_MANAGERS} The last active OWNER stays one.`,
  credential: MANAGERS,
  params,
  body: changeUserRequestSchema,
  answers: { 200: { description: 'The person as they are now.', body: userResponseSchema } },
  errors: ['LAST_OWNER'],
});

export const deactivateUser = operation({
  id: 'deactivateUser',
  service,
  method: 'post',
  path: '/v1/dashboard/users/:id/deactivate',
  tag: people,
  summary: 'Keep a person out until reactivated',
  description: `Ends their sessions. ${OF_MANAGERS} The last active OWNER stays active.`,
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The person as they are now.', body: userResponseSchema } },
  errors: ['LAST_OWNER'],
});

export const reactivateUser = operation({
  id: 'reactivateUser',
  service,
  method: 'post',
  path: '/v1/dashboard/users/:id/reactivate',
  tag: people,
  summary: 'Let a person in again',
  description: OF_MANAGERS,
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The person as they are now.', body: userResponseSchema } },
});

export const createInvitation = operation({
  id: 'createInvitation',
  service,
  method: 'post',
  path: '/v1/dashboard/invitations',
  tag: people,
  summary: 'Invite a person',
  description: `A mail goes to the address, with a token that works once, for 7 days. ${OF_MANAGERS}`,
  credential: MANAGERS,
  body: createInvitationRequestSchema,
  answers: { 201: { description: 'The invitation; its mail is on the way.', body: invitationResponseSchema } },
  errors: ['ALREADY_MEMBER', 'INVITATION_OPEN', 'INVITATION_LIMIT_REACHED'],
});

export const listInvitations = operation({
  id: 'listInvitations',
  service,
  method: 'get',
  path: '/v1/dashboard/invitations',
  tag: people,
  summary: 'List invitations',
  credential: MANAGERS,
  query: pageQuerySchema,
  answers: { 200: { description: page, body: pageOf(invitationResponseSchema) } },
});

export const revokeInvitation = operation({
  id: 'revokeInvitation',
  service,
  method: 'post',
  path: '/v1/dashboard/invitations/:id/revoke',
  tag: people,
  summary: 'Take an invitation back',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The invitation, revoked.', body: invitationResponseSchema } },
  errors: ['INVITATION_ACCEPTED'],
});
