// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token of the sandbox: an ordinary ERC-20 that its deployer can mint.
contract TestToken is ERC20 {
    error OnlyMinter();
    error ApproveFromNonZeroToNonZero();

    address public immutable minter;

    uint8 private immutable _decimals;

    /// Whether an allowance must go to 0 before it takes another value, as with Tether's token on Ethereum.
    bool public immutable approvesFromZeroOnly;

    constructor(
        string memory name,
        string memory symbol,
        uint8 decimals_,
        bool approvesFromZeroOnly_
    ) ERC20(name, symbol) {
        minter = msg.sender;
        _decimals = decimals_;
        approvesFromZeroOnly = approvesFromZeroOnly_;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function mint(address to, uint256 amount) external {
        require(msg.sender == minter, OnlyMinter());
        _mint(to, amount);
    }

    function approve(address spender, uint256 amount) public override returns (bool) {
        require(
            !approvesFromZeroOnly || amount == 0 || allowance(msg.sender, spender) == 0,
            ApproveFromNonZeroToNonZero()
        );
        return super.approve(spender, amount);
    }
}
