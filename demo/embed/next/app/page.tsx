import {Swap} from './swap';

export default function Page() {
  return (
    <main>
      <h1>Swap in Next.js</h1>
      <Swap />
    </main>
  );
}
