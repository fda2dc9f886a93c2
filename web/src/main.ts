import { mount } from "svelte";
import App from "./App.svelte";
import "./style/page.css";

mount(App, { target: document.getElementById("page")! });
