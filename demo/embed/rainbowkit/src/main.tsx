import './style.css';

// Its own chunk, as in an application whose pages load when they are opened.
const {show} = await import('./rainbowkit-page');
show(document.getElementById('root')!);
