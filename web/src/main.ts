import { mount } from "svelte";
import App from "./App.svelte";
import "./style/page.css";

mount(App, { target: document.getElementById("page")! });

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  void navigator.serviceWorker.register("./offline.js").catch(() => {
    // Plain files or an unsafe origin: the page works, but not offline.
  });
}
