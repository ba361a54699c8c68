export {poseidonHashMany} from '@scure/starknet';
