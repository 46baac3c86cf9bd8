import {
  confirmNumberProofRequestSchema,
  numberProofResponseSchema,
  requestNumberProofRequestSchema,
} from '../../http/dashboard';
import { pageOf, pageQuerySchema } from '../../http/pagination';
import { operation } from '../operation';
import { ANYBODY, MANAGERS, page, params, service } from './common';

const tag = 'Receiver accounts';

export const requestNumberProof = operation({
  id: 'requestNumberProof',
  service,
  method: 'post',
  path: '/v1/dashboard/number-proofs',
  tag,
  summary: 'Ask for a code to be sent to a wallet number',
  description:
    'For a number that another merchant has registered too. An operator sends a code to it by SMS; whoever brings the code back has its SIM. ' +
    'A number with an open request is answered with that.',
  credential: MANAGERS,
  body: requestNumberProofRequestSchema,
  answers: {
    201: {
      description: 'The request. The code is sent by a person, and works for a day.',
      body: numberProofResponseSchema,
    },
  },
  errors: ['NUMBER_PROOF_LIMIT_REACHED'],
});

export const listNumberProofs = operation({
  id: 'listNumberProofs',
  service,
  method: 'get',
  path: '/v1/dashboard/number-proofs',
  tag,
  summary: 'List proofs of wallet numbers',
  credential: ANYBODY,
  query: pageQuerySchema,
  answers: { 200: { description: page, body: pageOf(numberProofResponseSchema) } },
});

export const getNumberProof = operation({
  id: 'getNumberProof',
  service,
  method: 'get',
  path: '/v1/dashboard/number-proofs/:id',
  tag,
  summary: 'Retrieve the proof of a wallet number',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The proof as it is now.', body: numberProofResponseSchema } },
});

export const confirmNumberProof = operation({
  id: 'confirmNumberProof',
  service,
  method: 'post',
  path: '/v1/dashboard/number-proofs/:id/confirm',
  tag,
  summary: 'Prove a wallet number by its code',
  description:
    'From then on no other merchant can register or open the number for LIVE, and the accounts of others on it are switched off. Five wrong ' +
    'codes close the request.',
  credential: MANAGERS,
  params,
  body: confirmNumberProofRequestSchema,
  answers: { 200: { description: 'The number is proven.', body: numberProofResponseSchema } },
  errors: ['CODE_WRONG'],
});
